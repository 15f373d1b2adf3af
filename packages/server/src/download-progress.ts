/** Shows the progress of a download: a bar on a terminal, elsewhere a line for each tenth. */
import type { Progress } from '@quire/models/local/sources/source';

/** Minimum size in bytes of files with progress, as smaller ones download at once. */
const SMALL_BYTES = 1_000_000;

export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean;
}

export function progressLine(output: ProgressOutput): (progress: Progress) => void {
  let shown = '';
  return ({ file, receivedBytes, totalBytes }) => {
    if (totalBytes !== null && totalBytes < SMALL_BYTES) return;
    const megabytes = `${(receivedBytes / 1e6).toFixed(1)} MB`;
    const tenths = totalBytes === null ? 0 : Math.floor((receivedBytes / totalBytes) * 10);
    const bar = totalBytes === null ? '' : ` [${'#'.repeat(tenths).padEnd(10)}] of ${(totalBytes / 1e6).toFixed(1)} MB`;
    const key = output.isTTY === true ? `${file} ${megabytes}` : `${file} ${tenths}`;
    if (key === shown) return;
    shown = key;
    const isDone = receivedBytes === totalBytes;
    output.write(
      output.isTTY === true ? `\r${file}: ${megabytes}${bar}${isDone ? '\n' : ''}` : `${file}: ${megabytes}${bar}\n`,
    );
  };
}
