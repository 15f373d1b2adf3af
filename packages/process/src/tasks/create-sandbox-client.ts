/** Creates the client of the sandbox pool: each call runs one task, with its owner, estimate and limit. */
import { unpackChunks } from './packed-chunks.ts';
import type { RunOptions } from '@quire/sandbox/pool';
import type { SandboxClient, TaskOptions } from './sandbox-client.ts';
import { costOf } from './task-limits.ts';
import type { TaskMap } from './task-map.ts';
import type { TaskPool } from './task-pool.ts';

export interface SandboxClientSettings {
  /** Longest deadline of a task in ms, from its start; short tasks have shorter ones (`task-limits.ts`). */
  timeoutMs: number;
  /** Returns on whose behalf the caller works; tasks are shared out fairly among owners. Default: one owner. */
  presentOwner?: () => string;
}

export function createSandboxClient(
  pool: Pick<TaskPool, 'run'>,
  { timeoutMs, presentOwner = () => '' }: SandboxClientSettings,
): SandboxClient {
  const run =
    <Name extends keyof TaskMap>(name: Name, priority: NonNullable<RunOptions['priority']> = 'normal') =>
    (input: TaskMap[Name]['input'], options: TaskOptions): Promise<TaskMap[Name]['output']> =>
      pool.run(name, input, { ...options, ...costOf(name, input, timeoutMs), priority, owner: presentOwner() });
  const [parseAndChunk, rechunk, render] = [run('parse-and-chunk'), run('rechunk'), run('render')];
  return {
    parseAndChunk: async (input, options) => {
      const { chunks, ...document } = await parseAndChunk(input, options);
      return { ...document, chunks: await unpackChunks(chunks, options.signal) };
    },
    parse: run('parse'),
    drawPages: run('draw-pages'),
    listPages: run('list-pages'),
    drawPage: run('draw-page'),
    markPicture: run('mark-picture'),
    rechunk: async (input, options) => unpackChunks(await rechunk(input, options), options.signal),
    unpack: run('extract-archive'),
    extract: run('extract'),
    embeddingInputs: run('embedding-inputs'),
    checkValue: run('check-value'),
    locateValues: run('locate-values'),
    render: async (input, options) => Buffer.from(await render(input, options)),
    readText: run('read-text'),
    thumbnail: run('thumbnail', 'low'),
    edit: run('edit'),
  };
}
