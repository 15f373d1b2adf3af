/** A collection that is exported and imported on an empty service answers searches as before. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { runCommand } from './run-command.ts';

const guide = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const SEARCHES = 50;
const PAGES = 12;

/** Copies pages of the guide, and returns their headings as questions. */
async function copyPages(folder: string): Promise<string[]> {
  const headings: string[] = [];
  await mkdir(folder);
  for (const name of (await readdir(guide)).toSorted().slice(0, PAGES)) {
    const content = await readFile(path.join(guide, name), 'utf8');
    await writeFile(path.join(folder, name), content);
    headings.push(...Array.from(content.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => heading));
  }
  return [...new Set(headings)].slice(0, SEARCHES);
}

async function environmentOf(service: TestService, folder: string): Promise<Record<string, string>> {
  const { admin } = await createWorkspace(service);
  return { QUIRE_CONFIG: path.join(folder, 'none.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
}

/** Returns the best hits of each question, as scores by document and text. */
async function answersOf(env: Record<string, string>, questions: readonly string[]): Promise<Map<string, number>[]> {
  const answers: Map<string, number>[] = [];
  for (const question of questions) {
    const { json, code } = await runCommand(['search', question, '-c', 'Guide'], { piped: true, env });
    expect(code).toBe(0);
    answers.push(
      new Map(
        json().map(({ documentName, text, score }) => [`${String(documentName)}: ${String(text)}`, Number(score)]),
      ),
    );
  }
  return answers;
}

test(`an export is imported on an empty service, which answers the same ${SEARCHES} searches`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-transfer-'));
  const [one, other] = await Promise.all([startTestService(), startTestService()]);
  try {
    const [from, to] = [await environmentOf(one, folder), await environmentOf(other, folder)];
    const questions = await copyPages(path.join(folder, 'pages'));
    expect(questions.length).toBe(SEARCHES);
    const archive = path.join(folder, 'guide.tar');
    expect((await runCommand(['add', path.join(folder, 'pages'), '-c', 'Guide'], { env: from })).code).toBe(0);
    expect((await runCommand(['export', '-c', 'Guide', '-o', archive], { env: from })).code).toBe(0);
    expect((await runCommand(['import', archive], { env: to })).code).toBe(0);
    const [before, after] = [await answersOf(from, questions), await answersOf(to, questions)];
    expect(after.map((hits) => [...hits.keys()].toSorted())).toEqual(before.map((hits) => [...hits.keys()].toSorted()));
    const differences = before.flatMap((hits, at) =>
      Array.from(hits, ([text, score]) => Math.abs(score - (after[at]?.get(text) ?? Number.POSITIVE_INFINITY))),
    );
    // Sums of floating-point numbers depend on the order of the documents.
    expect(Math.max(...differences)).toBeLessThan(0.0001);
  } finally {
    await Promise.all([one.stop(), other.stop()]);
    await rm(folder, { recursive: true });
  }
});
