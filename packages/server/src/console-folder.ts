/** Finds the built files of the console. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Candidate folders: of an installed package, then of the repository. */
const FOLDERS = ['../console/', '../../console/dist/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

/** Returns undefined when the console is not installed. */
export const findConsoleFolder = (): string | undefined => FOLDERS.find((folder) => existsSync(`${folder}index.html`));
