/** Finds the Markdown pages of the guide. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Candidate folders: of an installed package, then of the repository. */
const FOLDERS = ['../docs/guide/', '../../../docs/guide/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** Returns undefined when the guide is not installed. */
export const findGuideFolder = (): string | undefined => FOLDERS.find((folder) => existsSync(folder));
