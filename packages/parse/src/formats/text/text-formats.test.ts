import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import type { Format } from '../../formats.ts';
import { plainText } from '@quire/blocks/walk';
import { ContentError } from '@quire/blocks/content-error';
import type { ParseContext } from '../../parser.ts';
import { readerFor } from '../../formats.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quire-text-'));
});
afterAll(() => rm(directory, { recursive: true }));

const context: ParseContext = {
  options: { ocr: 'never', ocrLanguages: [], jpegQuality: 80, maxPixels: 1 },
  limits: { maxInflatedBytes: 1, maxArchiveEntries: 1, maxArchiveRatio: 1, maxArchiveDepth: 1 },
  signal: new AbortController().signal,
  tempDir: '/nonexistent',
  onProgress: () => undefined,
};

async function parse(format: Format, content: string | Buffer, contentType = ''): Promise<ParsedContent> {
  const path = join(directory, 'file');
  await writeFile(path, content);
  const reader = await readerFor(format);
  return reader.parse(
    { path, name: `file.${format}`, sizeBytes: Buffer.byteLength(content), format, contentType },
    context,
  );
}

describe('readerFor', () => {
  it('gives a reader for every text format', async () => {
    for (const format of ['txt', 'markdown', 'html', 'csv', 'json'] as const) {
      expect(typeof (await readerFor(format)).parse).toBe('function');
    }
  });
});

describe('every text reader', () => {
  const hostile: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['white space', Buffer.from(' \n\t'.repeat(1000))],
    ['NUL bytes', Buffer.from(`a\0b\0${'x\0'.repeat(100)}`)],
    ['damaged UTF-8', Buffer.from([0x61, 0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0xf5, 0x62])],
    ['all bytes', Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 31) % 256))],
    ['an unclosed quote', Buffer.from(`"${'a,'.repeat(100_000)}`)],
    [
      '20,000 columns',
      Buffer.from(
        [0, 1, 2].map((row) => Array.from({ length: 20_000 }, (_, n) => `c${row}_${n}`).join(',')).join('\n'),
      ),
    ],
    ['brackets', Buffer.from('[{("'.repeat(20_000))],
  ];
  it.each(hostile)('returns a result or throws a ContentError for %s', async (_name, bytes) => {
    for (const format of ['txt', 'markdown', 'html', 'csv', 'json'] as const) {
      try {
        const tree = finishTree(await parse(format, bytes), null);
        expect(JSON.stringify(tree)).not.toContain('\\u0000');
      } catch (error) {
        expect(error).toBeInstanceOf(ContentError);
      }
    }
  });

  it('decodes by byte order mark, content and declared charset', async () => {
    expect(plainText((await parse('txt', Buffer.from('caf\xe9', 'latin1'))).blocks)).toBe('café');
    expect(plainText((await parse('txt', Buffer.from('\ufeffGrüße 你好', 'utf16le'))).blocks)).toBe('Grüße 你好');
    expect(plainText((await parse('txt', Buffer.from([0xc4, 0xc1]), 'text/plain; charset=KOI8-R')).blocks)).toBe('да');
  });

  it('decodes characters that span the pieces of a large file', async () => {
    const text = `a${'漢字😀'.repeat(250_000)}`;
    expect(plainText((await parse('txt', text)).blocks).replaceAll('\n', '') === text).toBe(true);
    const euro = `${'x'.repeat(3_000_000)} 5 \x80`;
    expect(plainText((await parse('txt', Buffer.from(euro, 'latin1'))).blocks).endsWith(' 5 €')).toBe(true);
  });
});

describe('txt', () => {
  it('finds headings only where they are certain', async () => {
    const { blocks } = await parse(
      'txt',
      'Title\n=====\nText here.\n\n1.2 Scope\n\nSome text.\n\nALL IN CAPITALS\n\nMore text.\n\nNot a heading\n\n1. Buy milk\n\n2. Buy eggs\n\nEND',
    );
    expect(blocks.map((block) => [block.type, block.level, block.text])).toEqual([
      ['heading', 1, 'Title'],
      ['paragraph', undefined, 'Text here.'],
      ['heading', 2, '1.2 Scope'],
      ['paragraph', undefined, 'Some text.'],
      ['heading', 2, 'ALL IN CAPITALS'],
      ['paragraph', undefined, 'More text.'],
      ['paragraph', undefined, 'Not a heading'],
      ['paragraph', undefined, '1. Buy milk'],
      ['paragraph', undefined, '2. Buy eggs'],
      ['paragraph', undefined, 'END'],
    ]);
  });

  it('joins wrapped lines, keeps short ones, and reads lists and aligned parts', async () => {
    const wrapped = 'This sentence was broken to fit the width of\nan old terminal, and is to be read as one of\nthem.';
    const { blocks } = await parse(
      'txt',
      `${wrapped}\n\nRoses are red\nViolets are blue\n\n- one\n  more\n  - deep\n- two\n\nName     Age\nAda      36\n`,
    );
    expect(blocks.map((block) => [block.type, block.level, block.text])).toEqual([
      ['paragraph', undefined, wrapped.replaceAll('\n', ' ')],
      ['paragraph', undefined, 'Roses are red\nViolets are blue'],
      ['listItem', 1, 'one more'],
      ['listItem', 2, 'deep'],
      ['listItem', 1, 'two'],
      ['code', undefined, 'Name     Age\nAda      36'],
    ]);
  });

  it('splits an endless line into blocks of bounded length', async () => {
    const { blocks } = await parse('txt', 'x'.repeat(2_000_000));
    expect(Math.max(...blocks.map((block) => block.text?.length ?? 0))).toBeLessThanOrEqual(64 * 1024);
    expect(plainText(blocks).replaceAll('\n', '')).toHaveLength(2_000_000);
  });
});

describe('csv', () => {
  const cells = async (content: string | Buffer): Promise<string[][][]> =>
    (await parse('csv', content)).blocks.map((block) =>
      (block.rows ?? []).map((row) => row.map((cell) => (cell.header ? `*${cell.text}` : cell.text))),
    );

  it('puts titles and comments before the table', async () => {
    const report = 'Report 2024;;\n"Made on 1 May"\n\n# all in tonnes\nRegion;Units\nNorth;12\nSouth;15\n';
    const { blocks } = await parse('csv', report);
    expect(blocks.slice(0, 3).map((block) => [block.type, block.text])).toEqual([
      ['paragraph', 'Report 2024'],
      ['paragraph', 'Made on 1 May'],
      ['paragraph', '# all in tonnes'],
    ]);
    expect(blocks[3]?.rows?.map((row) => row.map((cell) => (cell.header ? `*${cell.text}` : cell.text)))).toEqual([
      ['*Region', '*Units'],
      ['North', '12'],
      ['South', '15'],
    ]);
    expect(await cells('#;name\n1;A\n2;B\n')).toEqual([
      [
        ['*#', '*name'],
        ['1', 'A'],
        ['2', 'B'],
      ],
    ]);
    expect(await cells('name\nA\nB\n')).toEqual([[['*name'], ['A'], ['B']]]);
  });

  it('detects the delimiter', async () => {
    expect(await cells('name;price\nA;1,5\nB;2,5\n')).toEqual([
      [
        ['*name', '*price'],
        ['A', '1,5'],
        ['B', '2,5'],
      ],
    ]);
    expect(await cells('1,5;2,5\n3,5;4,5\n')).toEqual([
      [
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    ]);
    expect(await cells('a\tb\n1\t2,3\n')).toEqual([
      [
        ['*a', '*b'],
        ['1', '2,3'],
      ],
    ]);
    expect(await cells('a|b\n1|2\n')).toEqual([
      [
        ['*a', '*b'],
        ['1', '2'],
      ],
    ]);
    expect(await cells('sep=;\na;b\n1;2\n')).toEqual([
      [
        ['*a', '*b'],
        ['1', '2'],
      ],
    ]);
    expect(await cells('only\none\n')).toEqual([[['*only'], ['one']]]);
  });

  it('reads quoted delimiters, quotes and line breaks, ragged rows and blank lines', async () => {
    expect(await cells('a,b\r\n"x, ""y""","l1\nl2"\r\n\r\n1\r\n1,2,3\r\n')).toEqual([
      [['*a', '*b'], ['x, "y"', 'l1\nl2'], ['1'], ['1', '2', '3']],
    ]);
  });

  it('detects whether the first row is a header', async () => {
    expect(await cells('1,2\n3,4\n')).toEqual([
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ]);
    expect(await cells('red,green\nblue,green\n')).toEqual([
      [
        ['red', 'green'],
        ['blue', 'green'],
      ],
    ]);
    expect(await cells('Name,City\nAda,London\n')).toEqual([
      [
        ['*Name', '*City'],
        ['Ada', 'London'],
      ],
    ]);
  });

  it('reads an unclosed quote as a character', async () => {
    const parsed = await parse('csv', 'a,b\n"x,1\ny,2\n');
    expect(parsed.blocks[0]?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([
      ['a', 'b'],
      ['"x', '1'],
      ['y', '2'],
    ]);
    expect(parsed.warnings).toHaveLength(1);
  });

  it('splits long tables and repeats the header', async () => {
    const { blocks } = await parse(
      'csv',
      `id,name\n${Array.from({ length: 1100 }, (_, n) => `${n},n${n}`).join('\n')}`,
    );
    expect(blocks.map((block) => block.rows?.length)).toEqual([501, 501, 101]);
    expect(blocks.map((block) => block.rows?.[0]?.map((cell) => cell.text))).toEqual([
      ['id', 'name'],
      ['id', 'name'],
      ['id', 'name'],
    ]);
    expect(blocks[2]?.rows?.at(-1)?.[1]?.text).toBe('n1099');
  });

  it('keeps the rows beyond a million cells as text under the header', async () => {
    const row = Array.from({ length: 1000 }, (_, n) => n).join(',');
    const names = Array.from({ length: 1000 }, (_, n) => `c${n}`).join(',');
    const { blocks, warnings } = await parse('csv', `${names}\n${`${row}\n`.repeat(1003)}`);
    expect(blocks.map((block) => block.type)).toEqual(['table', 'table', 'code']);
    expect(blocks.at(-1)?.text?.split('\n')).toHaveLength(4);
    expect(warnings).toHaveLength(1);
  });
});

describe('a csv file with many columns', () => {
  const cellsOf = (blocks: readonly BlockDraft[]): number =>
    blocks.reduce((sum, { rows = [] }) => sum + rows.reduce((cells, row) => cells + row.length, 0), 0);

  it('repeats its header only as often as its rows have as many cells', async () => {
    const names = Array.from({ length: 5000 }, (_, at) => `name${at}`).join(',');
    const { blocks } = await parse('csv', `${names}\n${'1\n'.repeat(20_000)}`);
    expect(blocks.map(({ rows }) => rows?.length)).toEqual([5001, 5001, 5001, 5001]);
    expect(cellsOf(blocks)).toBe(4 * 5000 + 20_000);
  });

  it('repeats its header before lines of text only as often as they are as long', async () => {
    const names = Array.from({ length: 5000 }, (_, at) => `name${at}`).join(',');
    const full = `${'1,'.repeat(4999)}1\n`;
    const { blocks } = await parse('csv', `${names}\n${full.repeat(199)}${'1\n'.repeat(30_000)}`);
    expect(blocks.map(({ type }) => type)).toEqual(['table', 'table', 'code']);
    expect(cellsOf(blocks)).toBe(1_000_000 + 2 * 5000);
    expect(blocks[2]?.text).toHaveLength(names.length + 25_000 * 2);
  });
});

describe('json', () => {
  it('writes objects with few common keys as sections instead of a table of empty cells', async () => {
    const sparse = Array.from({ length: 400 }, (_, at) => ({ [`k${at % 97}`]: at }));
    const { blocks } = await parse('json', JSON.stringify(sparse));
    expect(blocks).toHaveLength(800);
    expect(blocks.slice(798)).toEqual([
      { type: 'heading', level: 1, text: '[399]' },
      { type: 'paragraph', text: 'k11: 399' },
    ]);
    const few = await parse('json', JSON.stringify(sparse.slice(0, 51)));
    expect(few.blocks.map(({ type, rows }) => [type, rows?.length])).toEqual([['table', 52]]);
  });

  it('turns paths into headings, scalars into lines, and flat objects into a table', async () => {
    const source =
      '{"title":"T","n":12345678901234567890,"tags":["a","b"],"owner":{"name":"Ada","home":{"city":"London"}},"rows":[{"id":1,"x":null},{"id":2,"y":[1,2]}]}';
    const { blocks, title } = await parse('json', source);
    expect(title).toBe('T');
    expect(blocks.slice(0, 6).map((block) => [block.type, block.level, block.text])).toEqual([
      ['paragraph', undefined, 'title: T\nn: 12345678901234567890\ntags: a, b'],
      ['heading', 1, 'owner'],
      ['paragraph', undefined, 'name: Ada'],
      ['heading', 2, 'owner.home'],
      ['paragraph', undefined, 'city: London'],
      ['heading', 1, 'rows'],
    ]);
    expect(blocks[6]?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([
      ['id', 'x', 'y'],
      ['1', 'null', ''],
      ['2', '', '1, 2'],
    ]);
  });

  it('reads JSON lines and values in a row', async () => {
    const { blocks } = await parse('json', '{"a":1}\n{"a":2}{"a":3}\n');
    expect(blocks[0]?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([['a'], ['1'], ['2'], ['3']]);
  });

  it('puts small nested objects into cells and numbers larger ones', async () => {
    const { blocks } = await parse('json', '[{"id":1,"n":{"a":1,"b":[2,3]}},{"id":2,"n":null}]');
    expect(blocks[0]?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([
      ['id', 'n'],
      ['1', 'a: 1; b: 2, 3'],
      ['2', 'null'],
    ]);
    const nested = Array.from({ length: 501 }, () => '{"a":{"b":{"c":1}}}').join(',');
    expect((await parse('json', `[${nested}]`)).blocks.at(-4)?.text).toBe('[500]');
    expect((await parse('json', '[1,2]\n[3]')).blocks[0]).toMatchObject({ type: 'heading', text: '[0]' });
  });

  it('finds no text in nested empty lists', async () => {
    expect((await parse('json', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).blocks).toEqual([]);
  });

  it('keeps repeated and dangerous keys as text', async () => {
    const { blocks } = await parse('json', '{"__proto__":{"polluted":"yes"},"a":1,"a":2,"s":"\\ud800\\u00e9"}');
    expect(plainText(blocks)).toBe('a: 1\na: 2\ns: \ud800é\n__proto__\npolluted: yes');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('does not recurse: ten thousand levels are read, deep values with their path', async () => {
    const { blocks } = await parse('json', `${'{"a":'.repeat(10_000)}"needle"${'}'.repeat(10_000)}`);
    expect(plainText(blocks).endsWith(': needle')).toBe(true);
    expect(blocks.filter((block) => block.type === 'heading').map((block) => block.level)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ['{"a":NaN,}', 5],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['"abc', 4],
    ['01', 1],
    ['tru', 0],
    ['[1', 2],
    ['{"a":"\\x"}', 6],
    ['"\n"', 1],
    ['{a:1}', 1],
  ])('reports the offset at which %s is not JSON', async (source, offset) => {
    const error = await parse('json', source).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ContentError);
    expect(error).toMatchObject({ type: 'corrupt' });
    expect(String(error)).toContain(`offset ${offset} `);
  });
});
