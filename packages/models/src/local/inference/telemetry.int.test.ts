import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledFile } from '@quire/shared/compiled-file';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-telemetry-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

it('starts onnxruntime without telemetry: no file in the temporary directory and none in the home directory', async () => {
  const threadPool = pathToFileURL(compiledFile(import.meta.url, 'thread-pool.js')).href;
  const start = `startInferenceThread({ modelFile: '/missing.onnx', pooling: 'mean', paddingId: 0, priority: 'query' })`;
  const script = path.join(directory, 'start.mjs');
  writeFileSync(
    script,
    `const { startInferenceThread } = await import(${JSON.stringify(threadPool)});
     await ${start}.catch((error) => console.log(error.message));`,
  );
  const home = path.join(directory, 'home');
  mkdirSync(home);
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { PATH: process.env['PATH'], TMPDIR: home, HOME: home, XDG_CACHE_HOME: home },
  });
  expect(stdout).toContain('/missing.onnx');
  expect(readdirSync(home)).toEqual([]);
});
