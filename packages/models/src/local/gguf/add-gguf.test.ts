import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResolverOptions } from '../model-resolver.ts';
import { SourceError } from '../sources/source.ts';
import { ggufHead } from '../testing/gguf-head.ts';
import { addedGgufs, addGguf } from './add-gguf.ts';
import { CHAT_CHOICES } from './chat-choices.ts';
import { findGguf } from './find-gguf.ts';

let root: string;
let options: ResolverOptions;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'quire-gguf-'));
  options = {
    cacheDir: path.join(root, 'cache'),
    modelDir: null,
    hubUrl: 'https://hub.example/',
    fetchFile: null,
    downloadArchive: null,
  };
});
afterEach(() => rm(root, { recursive: true }));

const { signal } = new AbortController();
const CONTENT = ggufHead({ 'tokenizer.chat_template': '{{ messages }}' });
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

/** A hub that serves one file and lists it with a hash. */
function hub(asked: string[], { repository, file, sha256 = SHA256 }: Record<string, string>): ResolverOptions {
  const list = [{ path: 'README.md' }, { path: file, lfs: { oid: sha256, size: CONTENT.length } }];
  const pages: Record<string, Buffer> = {
    [`https://hub.example/api/models/${repository}/tree/main?recursive=true`]: Buffer.from(JSON.stringify(list)),
    [`https://hub.example/${repository}/resolve/main/${file}`]: CONTENT,
  };
  const fetchFile = async (url: string) => {
    asked.push(url);
    const page = pages[url];
    if (page === undefined) throw new SourceError('hub.example answered 404', { answered: true });
    return (async function* () {
      yield page;
    })();
  };
  return { ...options, fetchFile };
}

test.each(['file', 'folder'])('a model is added from a %s, and found by its name', async (kind) => {
  const given = path.join(root, 'given');
  await mkdir(given);
  await writeFile(path.join(given, 'mine.gguf'), CONTENT);
  const added = await addGguf(kind === 'file' ? path.join(given, 'mine.gguf') : given, options, signal);
  expect(added).toMatchObject({
    name: 'mine',
    sha256: SHA256,
    sizeBytes: CONTENT.length,
    hasChatTemplate: true,
    header: { architecture: 'llama', contextTokens: 512 },
  });
  await rm(given, { recursive: true });
  expect(await findGguf('mine', options, signal)).toBe(path.join(root, 'cache', 'gguf', 'mine.gguf'));
  expect(await addedGgufs(options.cacheDir)).toMatchObject([{ name: 'mine', sha256: SHA256 }]);
});

test('a file that is not GGUF, and a folder with several, are refused and not kept', async () => {
  await writeFile(path.join(root, 'a.gguf'), 'not a model');
  await expect(addGguf(path.join(root, 'a.gguf'), options, signal)).rejects.toThrow('It is not a GGUF file');
  await writeFile(path.join(root, 'b.gguf'), CONTENT);
  await expect(addGguf(root, options, signal)).rejects.toThrow('several GGUF files, name one: a.gguf, b.gguf');
  await mkdir(path.join(root, 'empty'));
  await expect(addGguf(path.join(root, 'empty'), options, signal)).rejects.toThrow('the folder has no GGUF file');
  expect(await addedGgufs(options.cacheDir)).toEqual([]);
});

test('a choice for a size of memory is downloaded and checked against the hash that the hub states', async () => {
  const [choice] = CHAT_CHOICES;
  const { name, repository, file } = choice!;
  const asked: string[] = [];
  const added = await addGguf(name, hub(asked, { repository, file }), signal);
  expect(added).toMatchObject({ name, sha256: SHA256, source: `hub ${repository}/${file}` });
  expect(asked).toHaveLength(2);
  expect(await findGguf(name, options, signal)).toBe(added.file);
});

test('any file of the hub is added by its path, and refused if its content has another hash', async () => {
  const place = { repository: 'someone/some-model', file: 'deep/model.gguf' };
  const added = await addGguf('someone/some-model/deep/model.gguf', hub([], place), signal);
  expect(added).toMatchObject({ name: 'model', source: 'hub someone/some-model/deep/model.gguf' });
  await rm(path.join(root, 'cache'), { recursive: true });
  const other = hub([], { ...place, sha256: 'f'.repeat(64) });
  await expect(addGguf('someone/some-model/deep/model.gguf', other, signal)).rejects.toThrow('differs from the pinned');
  expect(await readdir(path.join(root, 'cache', 'gguf'))).toEqual([]);
  await expect(addGguf('someone/some-model/absent.gguf', hub([], place), signal)).rejects.toThrow(
    'someone/some-model has no file absent.gguf with a hash',
  );
  await expect(addGguf('someone/else/model.gguf', hub([], place), signal)).rejects.toThrow('answered 404');
});

test.each(['absent', 'no/such/folder', '../up/model.gguf'])('%j is not found', async (what) => {
  await expect(addGguf(what, hub([], { repository: 'a/b', file: 'c.gguf' }), signal)).rejects.toMatchObject({
    name: 'ModelNotFoundError',
  });
});

test('a named model cannot be added without downloads', async () => {
  await expect(addGguf(CHAT_CHOICES[0]!.name, options, signal)).rejects.toThrow('downloads are switched off');
});
