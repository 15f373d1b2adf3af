import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './command.ts';
import { parseFile, toMarkdown } from './index.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-parse-file-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function save(name: string, content: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, content);
  return file;
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCommand(args, { write: (text) => (out += text), writeError: (text) => (err += text) });
  return { code, out, err };
}

const GERMAN = '# Urlaub\n\nJede Mitarbeiterin und jeder Mitarbeiter hat Anspruch auf dreißig Tage Urlaub im Jahr.\n';

describe('parseFile', () => {
  it('returns blocks, format and language', async () => {
    const parsed = await parseFile(save('urlaub.md', GERMAN));
    expect(parsed).toMatchObject({ format: 'markdown', contentType: 'text/markdown', language: 'de', warnings: [] });
    expect(parsed.blocks).toMatchObject([{ id: 'b1', type: 'section', children: [{ text: 'Urlaub' }, {}] }]);
    expect(toMarkdown(parsed)).toBe(GERMAN);
  });

  it('takes the extension from the given name', async () => {
    const parsed = await parseFile(save('upload', 'a;b\n1;2\n'), { name: 'table.csv' });
    expect(parsed.format).toBe('csv');
    expect(parsed.blocks).toMatchObject([{ type: 'table' }]);
  });

  it('refuses content that does not match the name', async () => {
    await expect(parseFile(save('a.pdf', 'plain text'))).rejects.toMatchObject({ type: 'file_type_mismatch' });
  });
});

describe('the command', () => {
  it('prints Markdown, HTML or JSON', async () => {
    const file = save('note.txt', 'Winter tales\n');
    expect(await run(file)).toEqual({ code: 0, out: 'Winter tales\n', err: '' });
    expect((await run('--to', 'html', file)).out).toContain('<p id="b1">Winter tales</p>');
    expect(JSON.parse((await run('--to', 'json', file)).out)).toMatchObject({ format: 'txt' });
  });

  it('reports a file that cannot be read with exit code 1', async () => {
    expect(await run(save('b.pdf', 'x'))).toMatchObject({ code: 1, out: '' });
    expect((await run(path.join(directory, 'missing.txt'))).err).toContain('no such file');
  });

  it('prints its usage for --help, and as an error for wrong arguments', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, err: '' });
    for (const args of [[], ['--to', 'pdf', 'a.txt'], ['--ocr', 'maybe', 'a.txt'], ['--unknown']]) {
      expect(await run(...args)).toMatchObject({ code: 2, out: '' });
    }
  });
});
