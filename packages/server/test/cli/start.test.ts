/** The modules that the command line loads before it can answer, on which the time of its start depends. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));

/** Returns the scripts that a run of the command compiles, as V8 reports them. */
async function scriptsOf(args: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-scripts-'));
  try {
    await promisify(execFile)(process.execPath, [program, ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    });
    const [report = ''] = await readdir(folder);
    const { result } = JSON.parse(await readFile(path.join(folder, report), 'utf8')) as { result: { url: string }[] };
    return result.flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the names of the command line's own modules that a run loads, and the paths of all others. */
async function loadedBy(option: string): Promise<{ own: string[]; others: string[] }> {
  const scripts = await scriptsOf([option]);
  const own = scripts.filter((script) => script.includes(`${path.sep}cli${path.sep}`));
  return {
    own: own.map((script) => path.basename(script)).toSorted(),
    others: scripts.filter((script) => !own.includes(script)),
  };
}

test('--help loads neither commander nor a command', async () => {
  expect(await loadedBy('--help')).toEqual({
    own: ['exit-code.js', 'main.js', 'quire.mjs', 'root-help.js', 'run.js'],
    others: [],
  });
});

test('--version loads the catalogue of commands and commander, but no command', async () => {
  const { own, others } = await loadedBy('--version');
  expect(own).toEqual([
    'catalogue.js',
    'exit-code.js',
    'main.js',
    'program.js',
    'quire.mjs',
    'run-program.js',
    'run.js',
  ]);
  expect(others.filter((script) => !script.includes('commander'))).toEqual([]);
});

test('the help of a command loads the module of this command only', async () => {
  const own = (await scriptsOf(['search', '--help'])).filter((script) => script.includes('register'));
  expect(own.map((script) => path.basename(script)).toSorted()).toEqual(['questions.js', 'register.js']);
});
