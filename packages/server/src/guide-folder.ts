/** Finds the Markdown pages of the guide. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In an installed package, then in the repository. */
const FOLDERS = ['../docs/guide/', '../../../docs/guide/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** Returns undefined when the guide is not installed. */
export const findGuideFolder = (): string | undefined => FOLDERS.find((folder) => existsSync(folder));
