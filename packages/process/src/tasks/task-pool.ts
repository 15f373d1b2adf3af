/** The sandbox pool that runs this package's tasks. */
import { SandboxPool, type PoolOptions } from '@quire/sandbox/pool';
import { compiledFile } from '@quire/shared/compiled-file';
import type { TaskMap } from './task-map.ts';

export type TaskPool = SandboxPool<TaskMap>;

export const createTaskPool = (options: Omit<PoolOptions, 'entry'> = {}): TaskPool =>
  new SandboxPool<TaskMap>({ ...options, entry: compiledFile(import.meta.url, 'child.js') });
