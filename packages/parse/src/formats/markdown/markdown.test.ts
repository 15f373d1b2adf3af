import { describe, expect, it } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { plainText, walkBlocks } from '@quire/blocks/walk';
import { parseMarkdown } from './markdown.ts';
import { isHostile, splitAtHeadings } from './markdown-source.ts';

const blocksOf = (source: string) => parseMarkdown(source).blocks;
const treeOf = (source: string) => finishTree(parseMarkdown(source), null).blocks;

describe('parseMarkdown', () => {
  it('reads headings, emphasis, links, references and code', () => {
    expect(
      blocksOf(
        '# A *b*\n\nSee [the **page**](/p "t") or [ref].\nNext\\\nline\n\n[ref]: <http://x.y>\n\n```ts\nlet a;\n```',
      ),
    ).toEqual([
      { type: 'heading', level: 1, text: 'A b', links: [] },
      {
        type: 'paragraph',
        text: 'See the page or ref. Next\nline',
        links: [
          { start: 4, end: 12, href: '/p' },
          { start: 16, end: 19, href: 'http://x.y' },
        ],
      },
      { type: 'code', text: 'let a;', language: 'ts' },
    ]);
  });

  it('reads nested and task lists, tables, footnotes and formulas', () => {
    const blocks = treeOf(
      '3. three\n   - [x] done\n\n| a | b |\n|---|---|\n| 1<br>2 | `3` |\n\nText[^n].\n\n[^n]: The *note*.\n\n$$\na_b*c\n$$',
    );
    expect(blocks[0]).toMatchObject({
      type: 'list',
      ordered: true,
      start: 3,
      children: [{ text: 'three', children: [{ children: [{ text: '[x] done' }] }] }],
    });
    expect(blocks[1]?.rows?.map((row) => row.map((cell) => [cell.text, cell.header]))).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      [
        ['1\n2', false],
        ['3', false],
      ],
    ]);
    expect(blocks.slice(2).map((block) => [block.type, block.text])).toEqual([
      ['paragraph', 'Text[n].'],
      ['footnote', '[n] The note.'],
      ['formula', 'a_b*c'],
    ]);
  });

  it('reads embedded HTML with the HTML reader, including tables with blank lines, and drops hidden content', () => {
    const source =
      '<table>\n<tr><th>h</th></tr>\n\n<tr><td>c</td></tr>\n\n</table>\n\n<!-- secret -->\n\nA<sub>2</sub> <script>evil</script>b\n\n<details><summary>More</summary>\n\ninside\n\n</details>';
    const blocks = treeOf(source);
    expect(blocks[0]?.rows?.map((row) => row.map((cell) => cell.text))).toEqual([['h'], ['c']]);
    expect(plainText(blocks.slice(1))).toBe('A₂ b\nMore\ninside');
  });

  it('keeps front matter as code and takes the title from it', () => {
    const parsed = parseMarkdown('---\ntitle: "My page"\ntags: [a]\n---\n\n# Text');
    expect(parsed.title).toBe('My page');
    expect(parsed.blocks[0]).toEqual({ type: 'code', text: 'title: "My page"\ntags: [a]', language: 'yaml' });
    expect(parseMarkdown('---\nJust text\n---\n').title).toBeNull();
  });

  it('resolves references across the parts of a long document', () => {
    const filler = 'Some words to fill the part.\n\n'.repeat(10_000);
    const blocks = blocksOf(`# One\n\n[link][x]\n\n${filler}# Two\n\n${filler}\n[x]: http://x.y\n`);
    expect(blocks[1]).toEqual({ type: 'paragraph', text: 'link', links: [{ start: 0, end: 4, href: 'http://x.y' }] });
    expect(splitAtHeadings(`${filler}# Two\n\`\`\`\n# no\n\`\`\`\n`, 1000)).toHaveLength(2);
  });

  it('keeps inline formulas and amounts of money unchanged', () => {
    expect(plainText(treeOf('Let $a_1*b_2$ be \\(x^2\\), not $5 or *$10*.'))).toBe(
      'Let $a_1*b_2$ be $x^2$, not $5 or $10.',
    );
    expect(
      treeOf('\\[\n\\frac{a}{b}\n\\]\n\n$$x_1*y$$\n\nA \\[sic\\] *note*').map((block) => [block.type, block.text]),
    ).toEqual([
      ['formula', '\\frac{a}{b}'],
      ['formula', 'x_1*y'],
      ['paragraph', 'A [sic] note'],
    ]);
  });

  it('links bare addresses', () => {
    const [block] = treeOf('See https://x.y/_a_b (www.x.y/b), or a.b@c.org; not "http:".');
    expect(block).toMatchObject({
      text: 'See https://x.y/_a_b (www.x.y/b), or a.b@c.org; not "http:".',
      links: [
        { start: 4, end: 20, href: 'https://x.y/_a_b' },
        { start: 22, end: 31, href: 'http://www.x.y/b' },
        { start: 37, end: 46, href: 'mailto:a.b@c.org' },
      ],
    });
  });

  it('reads hostile text as plain text, but no real document', () => {
    for (const source of [
      `${'>'.repeat(30_000)} needle`,
      `${'*a_'.repeat(90_000)} needle`,
      `${'['.repeat(50_000)} needle`,
      `> a\n${'b\n'.repeat(25_000)} needle`,
    ]) {
      const parsed = parseMarkdown(source);
      expect(parsed.warnings).toHaveLength(1);
      expect(plainText(parsed.blocks)).toContain('needle');
    }
    expect(isHostile('- **bold** and `snake_case_name`\n'.repeat(5000))).toBe(false);
    expect(isHostile('| **a** | _b_ |\n'.repeat(5000))).toBe(false);
    expect(
      [...walkBlocks(blocksOf(Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i * 2)}- x`).join('\n')))].length,
    ).toBeGreaterThan(10);
  });
});
