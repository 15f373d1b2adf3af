/**
 * The files of one task. A child does not see the service's directories, so the inputs are placed in the child's own
 * directory before the task, and its outputs are moved out of it afterwards.
 */
import { constants } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@quire/shared/error-code';
import { removeIfPresent } from '@quire/shared/remove-if-present';
import { replacePaths } from './replace-paths.ts';
import type { WalledChild } from './walls/isolation.ts';

/** The files that a task reads and the directory that it writes to; all paths are absolute. */
export interface TaskFiles {
  inputs: readonly string[];
  outputDirectory: string | null;
}

export interface StagedTask {
  /** The task's input with the paths that hold within the child. */
  input: unknown;
  /** Moves the outputs to the caller's directory, and returns the result with their final paths. */
  collect: (result: unknown) => Promise<unknown>;
  /** Removes the staged inputs. */
  release: () => Promise<void>;
}

/** `copied`: inputs are copied for an account that may not read the originals, and linked otherwise. */
export async function stageTask(
  input: unknown,
  files: TaskFiles,
  child: WalledChild,
  copied: boolean,
): Promise<StagedTask> {
  const places = new Map<string, string>();
  const release = async (): Promise<void> => {
    // The directories stay for the next task; the child cannot write to them.
    for (const place of places.values()) await removeIfPresent(place);
  };
  try {
    for (const file of new Set(files.inputs)) {
      const place = path.join(child.inputs, String(places.size + 1), path.basename(file));
      places.set(file, place);
      await placeInput(file, place, copied);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const outputs = path.join(child.directory, 'outputs');
  const { outputDirectory } = files;
  const inside = new Map(places);
  if (outputDirectory !== null) inside.set(outputDirectory, outputs);
  return {
    input: inside.size === 0 ? input : replacePaths(input, inside),
    release,
    collect: async (result) => {
      if (outputDirectory === null) return result;
      await moveFiles(outputs, outputDirectory);
      return replacePaths(result, new Map([[outputs, outputDirectory]]));
    },
  };
}

/** Links or copies the file to its place, and creates the directory of the place if it is missing. */
async function placeInput(file: string, place: string, copied: boolean): Promise<void> {
  const put = copied ? copyReadable : linkOrCopy;
  try {
    await put(file, place);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const directory = path.dirname(place);
    await mkdir(directory, { recursive: true });
    // The service's umask permits nothing to other accounts.
    if (copied) await chmod(directory, 0o711);
    await put(file, place);
  }
}

async function copyReadable(file: string, place: string): Promise<void> {
  await copyFile(file, place, constants.COPYFILE_FICLONE);
  await chmod(place, 0o444);
}

/** A link costs nothing, but needs one file system and, on some machines, ownership of the file. */
async function linkOrCopy(file: string, place: string): Promise<void> {
  try {
    // A symbolic link would be linked itself.
    const isLink = (await lstat(file)).isSymbolicLink();
    await link(isLink ? await realpath(file) : file, place);
  } catch {
    // A link that was left there would lead the copy into its original.
    await copyFile(file, place, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }
}

/**
 * Moves the files of a directory that the child can write to. A link that the child made could point to any file of the
 * service, so each entry is checked after the move, when the child cannot replace it any more.
 */
async function moveFiles(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    const target = path.join(to, name);
    await rename(path.join(from, name), target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await copyWithoutLinks(path.join(from, name), target);
    });
    const stats = await lstat(target);
    if (stats.isFile() && stats.nlink === 1) continue;
    await rm(target, { recursive: true, force: true });
    throw new Error('A sandboxed task left something other than a file');
  }
}

async function copyWithoutLinks(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await source.stat();
    if (!stats.isFile() || stats.nlink !== 1) throw new Error('A sandboxed task left something other than a file');
    const target = await open(to, 'wx', 0o600);
    await pipeline(source.createReadStream({ autoClose: false }), target.createWriteStream());
    await rm(from);
  } finally {
    await source.close();
  }
}
