// large: runs every example of the guide
/**
 * Runs every example of the README and the guide with bash and curl, and compares the answers with the documented ones.
 * Skipped on a machine without these two programs.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnWithParent } from '../../../../scripts/child-process/spawn-with-parent.mjs';
import { startTestService, type TestService } from '../server.ts';
import { answerDifferences } from './match-answer.ts';
import { readExamples, type Example } from './read-page.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const commandLine = path.join(root, 'packages/cli/bin/quire.mjs');
const pages = ['README.md', ...readdirSync(path.join(root, 'docs/guide')).map((name) => `docs/guide/${name}`)];

const hasPrograms = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Creates a workspace with a key, as the first start does. */
async function createWorkspace(name: string): Promise<{ id: string; key: string }> {
  const { data } = await service.call<{ id: string }>('POST', '/v1/workspaces', { json: { name } });
  const made = await service.call<{ key: string }>('POST', `/v1/w/${data.id}/keys`, {
    json: { name: 'Guide', permission: 'admin' },
  });
  return { id: data.id, key: made.data.key };
}

/**
 * Runs the examples in one shell, so that later ones see the variables of earlier ones. Returns what each one printed.
 */
async function runExamples(examples: readonly Example[], environment: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-guide-'));
  // The pages call the command line as `quire`, as after its installation.
  writeFileSync(path.join(folder, 'quire'), `#!/bin/sh\nexec '${process.execPath}' '${commandLine}' "$@"\n`, {
    mode: 0o755,
  });
  const script = examples.map(({ script: each }, index) => `{\n${each}\n} > ${index}.out\necho $? > ${index}.rc\n`);
  writeFileSync(path.join(folder, 'examples.sh'), `set -o pipefail\n${script.join('')}`);
  try {
    const shell = spawnWithParent('bash', ['examples.sh'], {
      cwd: folder,
      detached: true,
      env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(shell, 'exit');
    const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
    expect(examples.map((_, index) => read(`${index}.rc`).trim())).toEqual(examples.map(() => '0'));
    return examples.map((_, index) => read(`${index}.out`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An example whose page shows no answer must at least be answered without an error. */
function problemsOf({ line, answer }: Example, output: string): string[] {
  if (answer === undefined) return output.includes('{"detail":') ? [`line ${line}: ${output}`] : [];
  try {
    return answerDifferences(answer.kind, answer.text, output).map((each) => `line ${line}: ${each}`);
  } catch (error) {
    return [`line ${line}: ${String(error)}: ${output}`];
  }
}

test.skipIf(!hasPrograms).each(pages)('every example of %s is answered as documented', async (page) => {
  const examples = readExamples(readFileSync(path.join(root, page), 'utf8'));
  expect(examples.length).toBeGreaterThan(0);
  const { id, key } = await createWorkspace(page);
  const outputs = await runExamples(examples, {
    QUIRE: service.address,
    KEY: key,
    WS: id,
    QUIRE_URL: service.address,
    QUIRE_KEY: key,
  });
  expect(examples.flatMap((example, index) => problemsOf(example, outputs[index] ?? ''))).toEqual([]);
});
