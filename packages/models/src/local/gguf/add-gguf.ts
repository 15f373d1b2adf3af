/**
 * Adds a GGUF language model to the cache: from a file or a folder of this machine, by a name of `CHAT_CHOICES`, or any
 * file of the model hub as `OWNER/REPOSITORY/FILE.gguf`. The hash of the stored file is recorded beside it.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { HubSource, PinnedFile } from '../catalogue.ts';
import { ModelNotFoundError, type ResolverOptions } from '../model-resolver.ts';
import { downloadFromHub, hashInHub } from '../sources/hub.ts';
import { sha256Of, storePinned, type SourceOptions } from '../sources/source.ts';
import { CHAT_CHOICES } from './chat-choices.ts';
import { ggufFolder, ggufPlace } from './find-gguf.ts';
import { readGgufHeader, type GgufHeader } from './gguf-header.ts';

const EXTENSION = '.gguf';
const RECORD_EXTENSION = '.json';
/**
 * Peak memory of a running model, as a multiple of its file: 2.0 and 2.2 for .5 and 1.5 billion parameters in four bits
 * with a context of 8,192 tokens.
 */
const MEMORY_FACTOR = 2.2;
/** The chat template follows the vocabulary, which takes some megabytes. */
const HEAD_BYTES = 64 * 1024 * 1024;
const TEMPLATE_KEY = 'tokenizer.chat_template';
/** `OWNER/REPOSITORY/FILE.gguf`; the file may lie in folders of the repository. */
const HUB_FILE = /^(\w[\w.-]*\/\w[\w.-]*)\/((?:\w[\w.-]*\/)*\w[\w.-]*\.gguf)$/u;

const recordSchema = z.object({ sha256: z.string(), sizeBytes: z.int(), source: z.string() });
export type GgufRecord = z.output<typeof recordSchema>;

export interface AddedGguf extends GgufRecord {
  /** The name by which configurations select the model. */
  name: string;
  file: string;
  header: GgufHeader;
  /** Without one, the model was hardly trained to follow instructions. */
  hasChatTemplate: boolean;
  /** Estimated peak memory while it answers. */
  memoryBytes: number;
}

/** Throws `ModelNotFoundError` with the reason if there is no such model, or it is not GGUF. */
export async function addGguf(what: string, options: ResolverOptions, signal: AbortSignal): Promise<AddedGguf> {
  const sourceOptions = { signal, onProgress: options.onProgress ?? (() => undefined) };
  const cache = ggufFolder(options.cacheDir);
  const local = await localFile(what);
  const added =
    local === undefined
      ? await fromHub(what, cache, options, sourceOptions)
      : await fromFile(local, cache, sourceOptions);
  const file = ggufPlace(options.cacheDir, `${added.name}${EXTENSION}`);
  try {
    const header = await readGgufHeader(file);
    const { name, ...record } = added;
    await writeFile(file + RECORD_EXTENSION, `${JSON.stringify(record, null, 2)}\n`);
    const memoryBytes = MEMORY_FACTOR * record.sizeBytes;
    return { ...record, name, file, header, hasChatTemplate: await holds(file, TEMPLATE_KEY), memoryBytes };
  } catch (error) {
    await rm(file, { force: true });
    throw new ModelNotFoundError(what, [error instanceof Error ? error.message : String(error)]);
  }
}

/** Returns the models that were added, with the place and the record of each. */
export async function addedGgufs(cacheDir: string): Promise<(GgufRecord & { name: string; file: string })[]> {
  const cache = ggufFolder(cacheDir);
  const names = await readdir(cache).catch(() => []);
  const records = names.filter((name) => name.endsWith(EXTENSION + RECORD_EXTENSION)).toSorted();
  return Promise.all(
    records.map(async (each) => {
      const file = path.join(cache, each.slice(0, -RECORD_EXTENSION.length));
      const record = recordSchema.parse(JSON.parse(await readFile(path.join(cache, each), 'utf8')));
      return { ...record, name: path.basename(file, EXTENSION), file };
    }),
  );
}

/** Returns the path of a file, or of the only GGUF file of a folder; undefined if there is no such path. */
async function localFile(what: string): Promise<string | undefined> {
  const place = path.resolve(what);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isFile()) return place;
  const names = (await readdir(place)).filter((name) => name.endsWith(EXTENSION)).toSorted();
  const [only] = names;
  if (only !== undefined && names.length === 1) return path.join(place, only);
  const held = names.length === 0 ? 'no GGUF file' : `several GGUF files, name one: ${names.join(', ')}`;
  throw new ModelNotFoundError(what, [`the folder has ${held}`]);
}

type Stored = GgufRecord & { name: string };

async function fromFile(file: string, cache: string, options: SourceOptions): Promise<Stored> {
  await readGgufHeader(file).catch((error: unknown) => {
    throw new ModelNotFoundError(file, [error instanceof Error ? error.message : String(error)]);
  });
  const name = path.basename(file, EXTENSION);
  const record = { sha256: await sha256Of(file), sizeBytes: (await stat(file)).size };
  const stored = { ...record, path: file, name: `${name}${EXTENSION}` };
  if (path.join(cache, stored.name) !== file) await storePinned(createReadStream(file), stored, cache, options);
  return { ...record, name, source: `file ${file}` };
}

async function fromHub(what: string, cache: string, options: ResolverOptions, sourceOptions: SourceOptions) {
  const { fetchFile, hubUrl, onStep } = options;
  const choice = CHAT_CHOICES.find(({ name }) => name === what);
  const [, repository = '', file = ''] = choice ? ['', choice.repository, choice.file] : (HUB_FILE.exec(what) ?? []);
  if (repository === '') throw new ModelNotFoundError(what, ['there is no such file, folder or name']);
  if (fetchFile === null) throw new ModelNotFoundError(what, ['downloads are switched off']);
  onStep?.(`${what}: looking in hub ${repository}`);
  const name = choice?.name ?? path.basename(file, EXTENSION);
  try {
    const stated = await hashInHub(repository, file, hubUrl, fetchFile, sourceOptions.signal);
    const pinned: PinnedFile = { ...stated, path: file, name: `${name}${EXTENSION}` };
    const source: HubSource = { kind: 'hub', repository, revision: 'main', files: [pinned] };
    await downloadFromHub(source, hubUrl, cache, fetchFile, sourceOptions);
    return { ...stated, name, source: `hub ${repository}/${file}` };
  } catch (error) {
    sourceOptions.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelNotFoundError(what, [
      `hub ${repository}: ${reason}`,
      'a GGUF file of this machine can be added by its path',
    ]);
  }
}

async function holds(file: string, key: string): Promise<boolean> {
  let tail = '';
  for await (const chunk of createReadStream(file, { end: HEAD_BYTES, encoding: 'latin1' })) {
    const text = tail + String(chunk);
    if (text.includes(key)) return true;
    tail = text.slice(-key.length);
  }
  return false;
}
