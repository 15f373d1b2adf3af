/** Runs the examples of the READMEs against the compiled packages. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf, TestPage } from './formats/pdf/testing/make-pdf.ts';

const packages = fileURLToPath(new URL('../../', import.meta.url));
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-readme-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function exampleOf(name: string): string {
  const readme = readFileSync(path.join(packages, name, 'README.md'), 'utf8');
  return /^```js\n(.*?)^```/ms.exec(readme)?.[1] ?? '';
}

/** Runs a module in the folder of a package and returns what it prints. */
async function run(name: string, code: string): Promise<string> {
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: path.join(packages, name) });
  return stdout;
}

describe('the example in the README', () => {
  it('of @quire/blocks prints the tree as Markdown, text and HTML', async () => {
    const printed = await run('blocks', exampleOf('blocks'));
    expect(printed).toContain('# Library\n\n- Monday to Friday: 9 to 20\n- Saturday: 10 to 16\n');
    expect(printed).toContain('<h1 id="b2">Library</h1>');
  });

  it('of @quire/text prints language, terms and chunks as documented', async () => {
    const readme = readFileSync(path.join(packages, 'text', 'README.md'), 'utf8');
    const documented = /^prints\n\n```\n(.*?)^```/ms.exec(readme)?.[1];
    expect(await run('text', exampleOf('text'))).toBe(documented);
  });

  it('of @quire/parse prints a PDF as Markdown', async () => {
    const file = path.join(directory, 'report.pdf');
    writeFileSync(file, makePdf([new TestPage().text(72, 72, 'The harbour is open all night.')], { title: 'Harbour' }));
    const printed = await run('parse', exampleOf('parse').replace("'report.pdf'", JSON.stringify(file)));
    expect(printed).toContain('Harbour en 1\n');
    expect(printed).toContain('The harbour is open all night.');
  });
});
