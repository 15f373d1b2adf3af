/** Prints the welcome text of `npm start` when the service is ready, and stores the keys of a first start. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FirstStart } from './first-start.ts';
import type { Logger } from './logger.ts';
import type { Started } from './service.ts';

export interface AnnounceOptions {
  dataDir: string;
  output: { isTTY?: boolean; write(text: string): unknown };
  logger: Logger;
}

export const KEYS_FILE = 'first-keys.txt';

/**
 * Prints the address, and the keys of a first start if the output is a terminal. Otherwise the output is likely to be
 * stored (journald, a container's log), so the keys go to a file of mode 600 and the log names it.
 */
export async function announce({ address, first }: Started, options: AnnounceOptions): Promise<void> {
  const { dataDir, output, logger } = options;
  const keys = describeKeys(address, first);
  const lines = ['', `Quire is ready at ${address}`, `  API documentation: ${address}/docs`];
  if (keys.length > 0 && output.isTTY !== true) {
    const file = path.join(dataDir, KEYS_FILE);
    await rm(file, { force: true });
    await writeFile(file, `${keys.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    logger.info({ file }, 'wrote the keys of the first start to a file; keep them elsewhere and delete it');
    lines.push(`  Keys of the first start: ${file} (keep them elsewhere and delete the file)`);
  } else if (keys.length > 0) {
    lines.push('', ...keys);
  }
  if (first.sample !== null) lines.push('', ...describeSample(address, first.sample, output.isTTY === true));
  output.write(`${lines.join('\n')}\n\n`);
}

function describeKeys(address: string, { rootKey, sample }: FirstStart): string[] {
  const keys: string[] = [];
  if (rootKey !== null) keys.push(`Root key (shown once, keep it): ${rootKey}`);
  if (sample !== null) keys.push(`Workspace key (shown once):     ${sample.key}`);
  const key = sample?.key ?? rootKey;
  // Browsers do not send the part after `#`, so the key reaches no log.
  if (key !== null) keys.push(`Console, signed in:             ${address}/#key=${key}`);
  return keys;
}

function describeSample(address: string, sample: NonNullable<FirstStart['sample']>, isTerminal: boolean): string[] {
  const { workspaceId, collectionId, key } = sample;
  return [
    'Try a search in the sample collection:',
    '',
    `  curl -s ${address}/v1/w/${workspaceId}/col/${collectionId}/search \\`,
    `    -H 'Authorization: Bearer ${isTerminal ? key : '<workspace key>'}' \\`,
    `    -d '{"query": "what happens when I delete a document?", "limit": 3}'`,
  ];
}
