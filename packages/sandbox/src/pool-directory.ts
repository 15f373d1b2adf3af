/** The directory in which a pool works, named by host and process so that a later start can remove abandoned ones. */
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

const PREFIX = `quire-sandbox-${hostname()}-`;

/** Makes a private directory within `parent`, after removing those of processes of this host that have ended. */
export function makePoolDirectory(parent: string): string {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const processId = Number.parseInt(name.slice(PREFIX.length), 10);
    const directory = path.join(parent, name);
    const isOurs = lstatSync(directory, { throwIfNoEntry: false })?.uid === process.geteuid?.();
    if (isOurs && !isAlive(processId)) rmSync(directory, { recursive: true, force: true });
  }
  return realpathSync(mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`)));
}

/** Whether this process can write in the directory, and other accounts can enter it and its parents. */
export function isOpenToOthers(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    for (let each = realpathSync(directory); ; each = path.dirname(each)) {
      if ((statSync(each).mode & constants.S_IXOTH) === 0) return false;
      if (each === path.dirname(each)) return true;
    }
  } catch {
    return false;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
