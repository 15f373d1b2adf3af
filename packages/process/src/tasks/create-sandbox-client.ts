/** Creates the client of the sandbox pool: each call runs one task, with a deadline and an estimated duration. */
import { FORMATS } from '@quire/parse/formats';
import type { SourceFile } from '@quire/parse/parser';
import { unpackChunks } from './packed-chunks.ts';
import type { SandboxClient, TaskOptions } from './sandbox-client.ts';
import type { RunOptions } from '@quire/sandbox/pool';
import type { TaskPool } from './task-pool.ts';

export interface SandboxClientSettings {
  /** Deadline of a task in ms, from its start. */
  timeoutMs: number;
}

const GZIPPED_TREE_COST = 0.3;
/** Time to render a tree, by the size of its JSON. */
const RENDER_MS_PER_MEGABYTE = 60;
const THUMBNAIL_MS = 50;
const EXTRACT_MS = 100;
const CHECK_MS = 20;
const DRAWN_PAGE_MS = 200;
const CONVERTED_MS = 3000;
const MARK_MS = 60;
/** Deadline of a picture that a client waits for, in ms; pages that take longer are hostile or useless as pictures. */
const PICTURE_TIMEOUT_MS = 60_000;

export function createSandboxClient(pool: TaskPool, settings: SandboxClientSettings): SandboxClient {
  const runOptions = (options: TaskOptions, rest: Pick<RunOptions, 'expectedMs' | 'priority'>): RunOptions => ({
    ...rest,
    ...options,
    timeoutMs: settings.timeoutMs,
  });
  const pictureOptions = (options: TaskOptions, duration: number): RunOptions => ({
    ...runOptions(options, { expectedMs: duration }),
    timeoutMs: Math.min(settings.timeoutMs, PICTURE_TIMEOUT_MS),
  });
  return {
    parseAndChunk: async (input, options) => {
      const running = runOptions(options, { expectedMs: expectedMs(input.file) });
      const { chunks, ...document } = await pool.run('parse-and-chunk', input, running);
      return { ...document, chunks: await unpackChunks(chunks, options.signal) };
    },
    parse: (input, options) => pool.run('parse', input, runOptions(options, { expectedMs: expectedMs(input.file) })),
    drawPages: (input, options) =>
      pool.run('draw-pages', input, runOptions(options, { expectedMs: input.pages.length * DRAWN_PAGE_MS })),
    listPages: (input, options) =>
      pool.run('list-pages', input, pictureOptions(options, isOffice(input.file) ? CONVERTED_MS : CHECK_MS)),
    drawPage: (input, options) => pool.run('draw-page', input, pictureOptions(options, DRAWN_PAGE_MS)),
    markPicture: (input, options) => pool.run('mark-picture', input, pictureOptions(options, MARK_MS)),
    rechunk: async (input, options) => {
      const running = runOptions(options, { expectedMs: (input.tree.length / 1024) * GZIPPED_TREE_COST });
      return unpackChunks(await pool.run('rechunk', input, running), options.signal);
    },
    unpack: (input, options) =>
      pool.run('extract-archive', input, runOptions(options, { expectedMs: expectedMs(input.file) })),
    extract: (input, options) => pool.run('extract', input, runOptions(options, { expectedMs: EXTRACT_MS })),
    embeddingInputs: (input, options) =>
      pool.run('embedding-inputs', input, runOptions(options, { expectedMs: EXTRACT_MS })),
    checkValue: (input, options) => pool.run('check-value', input, runOptions(options, { expectedMs: CHECK_MS })),
    locateValues: (input, options) => pool.run('locate-values', input, runOptions(options, { expectedMs: EXTRACT_MS })),
    render: async (input, options) =>
      Buffer.from(await pool.run('render', input, pictureOptions(options, renderMs(input.tree)))),
    readText: (input, options) => pool.run('read-text', input, pictureOptions(options, renderMs(input.tree))),
    thumbnail: (input, options) =>
      pool.run('thumbnail', input, runOptions(options, { expectedMs: THUMBNAIL_MS, priority: 'low' })),
    edit: (input, options) => pool.run('edit', input, runOptions(options, { expectedMs: expectedMs(input.file) })),
  };
}

/** The length of gzipped data is in its last four bytes. */
const renderMs = (tree: Buffer): number => (tree.readUInt32LE(tree.length - 4) / 1e6) * RENDER_MS_PER_MEGABYTE;

const isOffice = (file: SourceFile): boolean => FORMATS[file.format].thumbnail === 'office';

function expectedMs(file: SourceFile): number {
  const { fixedMs, msPerKilobyte } = FORMATS[file.format].cost;
  return fixedMs + (file.sizeBytes / 1024) * msPerKilobyte;
}
