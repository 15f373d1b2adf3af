import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import type { BlockDraft, DocumentTree } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { plainText } from '@quire/blocks/walk';

const treeOf = (blocks: BlockDraft[], title: string | null = null): DocumentTree =>
  finishTree({ blocks, pageCount: null, title, warnings: [] }, null);

/** Generates text from the special characters of Markdown and HTML. */
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'B7',
      ' ',
      ' ',
      '\n',
      '*',
      '**',
      '_',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '![',
      '<',
      '>',
      '<b>',
      '</table>',
      '<!--',
      '-->',
      '<script>',
      '&',
      '&amp;',
      '#',
      '# ',
      '- ',
      '---',
      '===',
      '+ ',
      '1. ',
      '2) ',
      '|',
      '\\',
      '~',
      '~~',
      '$$',
      '"',
      "'",
      ':',
      '!',
      '.',
      'http://x.y/a_b*c',
      'www.a.bc',
      'a@b.co',
      'é',
      '漢字',
      '😀',
      '\u00a0',
      '\t',
      '[^1]',
      '[x] ',
      '    ',
      '=',
      ':-',
      ': ',
      ':::a',
      '!!! a',
      '{#b}',
      '[[c]]',
      '+--+',
      '{% highlight d %}',
      '[!NOTE]',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const leaf: fc.Arbitrary<BlockDraft> = fc.oneof(
  text.map((it): BlockDraft => ({ type: 'paragraph', text: it })),
  fc.record({ type: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text }),
  text.map((it): BlockDraft => ({ type: 'code', text: it, language: 'js' })),
  text.map((it): BlockDraft => ({ type: 'quote', text: it })),
  text.map((it): BlockDraft => ({ type: 'figure', text: it })),
  text.map((it): BlockDraft => ({ type: 'footnote', text: it })),
  fc.tuple(text, text).map(([label, after]): BlockDraft => ({
    type: 'paragraph',
    text: `x${label}y${after}`,
    links: [{ start: 0, end: label.length + 2, href: 'https://example.org/a b(c)' }],
  })),
  fc.array(fc.array(text, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 3 }).map((rows): BlockDraft => ({
    type: 'table',
    rows: rows.map((row) => row.map((it) => ({ text: it, rowSpan: 1, colSpan: 1, header: false }))),
  })),
  fc.tuple(text, text).map(([label, after]): BlockDraft => {
    const links = [{ start: 0, end: label.length + 2, href: 'https://example.org/a b(c)|d' }];
    const cell = { text: `x${label}y${after}`, rowSpan: 1, colSpan: 1, header: false, links };
    return { type: 'table', rows: [[cell, { text: after, rowSpan: 1, colSpan: 1, header: false }]] };
  }),
);
const { block } = fc.letrec<{ block: BlockDraft; list: BlockDraft }>((tie) => ({
  block: fc.oneof({ maxDepth: 3 }, leaf, tie('list')),
  list: fc.record({
    type: fc.constant('list' as const),
    ordered: fc.boolean(),
    start: fc.constantFrom(1, 1, 7),
    children: fc.array(
      fc.record({ type: fc.constant('listItem' as const), text, children: fc.array(tie('block'), { maxLength: 2 }) }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}));

const words = (blocks: DocumentTree['blocks']): string => plainText(blocks).replace(/\s+/g, ' ').trim();

describe('toMarkdown', () => {
  it('writes Markdown from which the reader returns the same text', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (drafts) => {
        const tree = treeOf(drafts);
        const again = treeOf(parseMarkdown(toMarkdown(tree)).blocks);
        expect(words(again.blocks)).toBe(words(tree.blocks));
      }),
      { numRuns: 1500 },
    );
  });

  it('writes headings, lists, links, tables, formulas and page comments', () => {
    const cell = (it: string, colSpan = 1) => ({ text: it, rowSpan: 1, colSpan, header: false });
    const markdown = toMarkdown(
      treeOf([
        { type: 'heading', level: 2, text: 'C# #' },
        { type: 'paragraph', text: 'See this: 2 * 3, a_b', links: [{ start: 4, end: 8, href: 'https://x.org' }] },
        { type: 'pageBreak', page: 2 },
        {
          type: 'list',
          ordered: true,
          start: 3,
          children: [
            { type: 'listItem', text: 'three' },
            { type: 'listItem', text: '4. four' },
          ],
        },
        { type: 'table', rows: [[cell('both', 2)], [cell('a|b'), cell('c\nd')]] },
        { type: 'formula', text: 'E=mc^2' },
        { type: 'code', text: '```', language: 'md' },
        { type: 'heading', level: 3, text: '1. Why {#not}' },
        { type: 'paragraph', text: 'Look! Here!', links: [{ start: 5, end: 10, href: 'https://x.org' }] },
        { type: 'paragraph', text: 'So!x', links: [{ start: 3, end: 4, href: 'https://x.org' }] },
      ]),
    );
    expect(markdown).toBe(
      '## C# \\#\n\nSee [this](https://x.org): 2 * 3, a_b\n\n<!-- page 2 -->\n\n3. three\n4. 4\\. four\n\n' +
        '| both | both |\n| --- | --- |\n| a\\|b | c<br>d |\n\n$$\nE=mc^2\n$$\n\n````md\n```\n````\n\n### 1. Why \\{#not}\n\nLook! [Here](https://x.org)!\n\nSo\\![x](https://x.org)\n',
    );
  });
});

describe('toHtml', () => {
  it('escapes all input', () => {
    const hostile = fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onclick='x",
      '</pre><svg/onload=1>',
      '<!--',
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), hostile, (drafts, attack) => {
        const attacked: BlockDraft[] = [
          ...drafts,
          { type: 'paragraph', text: attack, links: [{ start: 0, end: 2, href: `https://x/${attack}` }] },
          { type: 'code', text: attack, language: attack },
          { type: 'table', rows: [[{ text: attack, rowSpan: 1, colSpan: 1, header: true }]] },
        ];
        const found = elementsIn(toHtml(treeOf(attacked, attack)));
        expect(found.names.filter((name) => !ALLOWED.has(name))).toEqual([]);
        expect(
          found.attributes.filter(
            (name) => !/^(?:id|class|href|rel|charset|start|role|rowspan|colspan|data-page|data-bbox)$/.test(name),
          ),
        ).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps safe links and drops those with scripts', () => {
    const link = (href: string): BlockDraft => ({ type: 'paragraph', text: 'x', links: [{ start: 0, end: 1, href }] });
    const html = toHtml(
      treeOf([
        link('java\nscript:alert(1)'),
        link(' DATA:text/html,x'),
        link('vbscript:x'),
        link('\u0001javascript:x'),
        link('mailto:a@b.c'),
        link('../x?a=1&b'),
      ]),
    );
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="mailto:a@b.c"', 'href="../x?a=1&amp;b"']);
  });

  it('marks blocks with id, page and bounding box, and tables with header and spans', () => {
    const html = toHtml(
      treeOf([
        {
          type: 'table',
          page: 3,
          bbox: [0, 0.5, 1, 1],
          rows: [
            [{ text: 'h', rowSpan: 1, colSpan: 2, header: true }],
            [
              { text: 'a', rowSpan: 1, colSpan: 1, header: false },
              { text: 'b', rowSpan: 1, colSpan: 1, header: false },
            ],
          ],
        },
      ]),
    );
    expect(html).toContain(
      '<table id="b1" data-page="3" data-bbox="0 0.5 1 1">\n<thead>\n<tr><th colspan="2">h</th></tr>\n</thead>\n<tbody>\n<tr><td>a</td><td>b</td></tr>\n</tbody>\n</table>',
    );
  });
});

const ALLOWED = new Set(
  'html head meta title body section h1 h2 h3 h4 h5 h6 p div ul ol li table thead tbody tr th td pre code blockquote figure aside hr a br'.split(
    ' ',
  ),
);

function elementsIn(html: string): { names: string[]; attributes: string[] } {
  const names: string[] = [];
  const attributes: string[] = [];
  const visit = (node: { nodeName: string; attrs?: { name: string }[]; childNodes?: unknown[] }): void => {
    if (node.attrs !== undefined) {
      names.push(node.nodeName);
      attributes.push(...node.attrs.map((it) => it.name));
    }
    for (const child of node.childNodes ?? []) visit(child as typeof node);
  };
  visit(parse(html) as never);
  return { names, attributes };
}
