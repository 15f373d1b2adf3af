/** The sandbox pool that runs this package's tasks. */
import type { SourceFile } from '@quire/parse/parser';
import { SandboxPool, type PoolOptions } from '@quire/sandbox/pool';
import type { TaskFiles } from '@quire/sandbox/staged-files';
import { compiledFile } from '@quire/shared/compiled-file';
import type { TaskMap } from './task-map.ts';

export type TaskPool = SandboxPool<TaskMap>;

export const openTaskPool = (options: Omit<PoolOptions, 'entry' | 'filesOf'> = {}): Promise<TaskPool> =>
  SandboxPool.open<TaskMap>({ ...options, filesOf, entry: compiledFile(import.meta.url, 'child.js') });

/** Returns the files that a task's input names. Tasks name them by the same properties. */
function filesOf(_task: string, input: unknown): TaskFiles {
  const { file, siblings = [], directory = null } = input as FileProperties;
  const files = file === undefined ? siblings : [file, ...siblings];
  return { inputs: files.map((source) => source.path), outputDirectory: directory };
}

interface FileProperties {
  file?: SourceFile;
  siblings?: readonly SourceFile[];
  directory?: string;
}
