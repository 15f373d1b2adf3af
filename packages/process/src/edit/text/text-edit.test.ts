import { describe, expect, it } from 'vitest';
import type { Format } from '@quire/parse/formats';
import { operations as schema } from '../operations.ts';
import { editBytes } from '../testing/edit-bytes.ts';

const replace = (find: string, text: string): object => ({ type: 'replaceText', find, replace: text });

async function edited(source: string | Uint8Array, format: Format, ...operations: object[]): Promise<string> {
  return (await editBytes(source, format, operations)).files[0]!.toString();
}

describe('text files', () => {
  it('replaces words with and without case and word boundaries', async () => {
    const source = 'The cat, the catalogue and THE CAT.';
    expect(await edited(source, 'txt', replace('cat', 'dog'))).toBe('The dog, the dogalogue and THE CAT.');
    const whole = { ...replace('cat', 'dog'), ignoreCase: true, wholeWord: true };
    expect(await edited(source, 'txt', whole)).toBe('The dog, the catalogue and THE dog.');
  });

  it('keeps the encoding, the byte order mark and the line ends', async () => {
    const latin = Buffer.from('Grüße aus Köln\r\nund Bonn\r\n', 'latin1');
    const { files } = await editBytes(latin, 'txt', [replace('aus Köln\nund', 'nach\nÄgypten,')]);
    expect(files[0]!.equals(Buffer.from('Grüße nach\r\nÄgypten, Bonn\r\n', 'latin1'))).toBe(true);
    const wide = Buffer.from('\ufeffold text', 'utf16le');
    expect((await editBytes(wide, 'txt', [replace('old', 'new')])).files[0]).toEqual(
      Buffer.from('\ufeffnew text', 'utf16le'),
    );
    await expect(editBytes(latin, 'txt', [replace('Köln', '東京')])).rejects.toMatchObject({
      type: 'unsupported',
      message: 'The character 東 cannot be written in windows-1252',
    });
  });

  it('expands groups of patterns, keeps unknown references and rejects patterns that RE2 does not support', async () => {
    const swap = { type: 'replacePattern', pattern: '(\\w+), (?P<first>\\w+)', replace: '${first} $1 $$5 $9' };
    expect(await edited('Lovelace, Ada', 'txt', swap)).toBe('Ada Lovelace $5 $9');
    const backReference = { type: 'replacePattern', pattern: '(a)\\1', replace: '' };
    expect(schema.safeParse([backReference]).error?.issues[0]).toMatchObject({ path: [0, 'pattern'] });
    const hostile = { type: 'replacePattern', pattern: '(a*)*b', replace: '' };
    expect(await edited('a'.repeat(5000), 'txt', hostile)).toBe('a'.repeat(5000));
  });

  it('fills placeholders', async () => {
    const { files, operations } = await editBytes('Dear {{ name }},\n{{x}}', 'markdown', [
      { type: 'fillPlaceholders', values: { name: 'Ada' } },
    ]);
    expect(files[0]!.toString()).toBe('Dear Ada,\n{{x}}');
    expect(operations).toEqual([
      { type: 'fillPlaceholders', changes: 1, notes: ['{{x}} has no value and was left unchanged'] },
    ]);
  });
});

describe('HTML', () => {
  it('replaces across inline tags and entities and leaves markup and scripts unchanged', async () => {
    const source =
      '<!doctype html>\n<p class="Tom">Tom <b>&amp; Je</b>rry&nbsp;x</p><script>"Tom"</script><p>a &lt; b</p>';
    expect(await edited(source, 'html', replace('Tom & Jerry', 'A < B'), replace('a < b', 'c'))).toBe(
      '<!doctype html>\n<p class="Tom">A &lt; B<b></b>&nbsp;x</p><script>"Tom"</script><p>c</p>',
    );
  });

  it('replaces text directly in the body', async () => {
    const source = '<html><body>\n  old &amp; text\n</body>\n</html>\n';
    expect(await edited(source, 'html', replace('old & text', 'new'))).toBe('<html><body> new </body>\n</html>\n');
  });

  it('does not match across paragraphs', async () => {
    const source = '<p>Tom</p><p>Jerry</p>';
    expect(await edited(source, 'html', replace('TomJerry', 'x'))).toBe(source);
  });
});

describe('CSV', () => {
  it('quotes a field when its new text requires it, and no other field', async () => {
    const source = 'name,city\r\n"Doe, J",Rome\r\nRay,Bonn\r\n';
    expect(await edited(source, 'csv', replace('Rome', 'Rome, "Italy"'), replace('Doe', 'Roe'))).toBe(
      'name,city\r\n"Roe, J","Rome, ""Italy"""\r\nRay,Bonn\r\n',
    );
  });
});

describe('JSON', () => {
  it('replaces in string values only, and the result is valid JSON', async () => {
    const source = '{ "old": "old \\"x\\"", "n": [1.50, "o\\u00e9ld"] }\n{"a":"old"}\n';
    expect(await edited(source, 'json', replace('old', 'a"\n'))).toBe(
      '{ "old": "a\\"\\n \\"x\\"", "n": [1.50, "o\\u00e9ld"] }\n{"a":"a\\"\\n"}\n',
    );
    expect(await edited('["\\u00e9"]', 'json', replace('é', 'ä'))).toBe('["\\u00e4"]');
    await expect(edited('{"a": }', 'json', replace('a', 'b'))).rejects.toMatchObject({ type: 'corrupt' });
  });
});

describe('SVG', () => {
  it('replaces text across spans', async () => {
    const source =
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Old</title><text x="1">Old <tspan>na</tspan>me</text></svg>';
    expect(await edited(source, 'svg', replace('Old name', 'A & B'))).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Old</title><text x="1">A &amp; B<tspan></tspan></text></svg>',
    );
  });
});
