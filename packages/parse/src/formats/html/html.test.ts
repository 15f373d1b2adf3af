import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { plainText } from '@quire/blocks/walk';
import { parseHtml, reader } from './html.ts';
import { parseBytes, testContext } from '../../office/testing/parse-parts.ts';

const blocksOf = (html: string, removeBoilerplate = false): BlockDraft[] =>
  parseHtml(html, { removeBoilerplate }).blocks;
const textOf = (html: string, removeBoilerplate = false): string => plainText(blocksOf(html, removeBoilerplate));
const tableOf = (html: string): (string | [string, number, number])[][] | undefined =>
  blocksOf(html)
    .find((block) => block.type === 'table')
    ?.rows?.map((row) =>
      row.map((cell) => (cell.rowSpan > 1 || cell.colSpan > 1 ? [cell.text, cell.rowSpan, cell.colSpan] : cell.text)),
    );

describe('parseHtml', () => {
  it('collapses white space across elements as browsers do', () => {
    expect(textOf('<p> a <b> b</b>c\n\t<i>d </i> <i> e</i><br> f &nbsp; g</p>h<div>i</div>j')).toBe(
      'a bc d e\nf \u00a0 g\nh\ni\nj',
    );
  });

  it('leaves out hidden content', () => {
    const html =
      '<title>T</title><script>1</script><style>2</style><template>3</template><noscript>4</noscript><p hidden>5</p>' +
      '<p style="color:red; display : none">6</p><dialog>7</dialog><input type=hidden value=8><p>seen</p><!-- 9 -->';
    expect(textOf(html)).toBe('seen');
    expect(parseHtml(html).title).toBe('T');
  });

  it('reads lists, also lists of definitions', () => {
    expect(blocksOf('<ol start=3><li>a<ul><li>b</ul><li><p>c</p><pre>d</pre></ol>')).toEqual([
      {
        type: 'list',
        ordered: true,
        start: 3,
        children: [
          {
            type: 'listItem',
            text: 'a',
            children: [{ type: 'list', ordered: false, children: [{ type: 'listItem', text: 'b' }] }],
          },
          { type: 'listItem', text: 'c', children: [{ type: 'code', text: 'd' }] },
        ],
      },
    ]);
    expect(blocksOf('<dl><dt>T<dd>one<dd>two<dt>U</dl>')).toEqual([
      {
        type: 'list',
        ordered: false,
        children: [
          {
            type: 'listItem',
            text: 'T',
            children: [
              {
                type: 'list',
                ordered: false,
                children: [
                  { type: 'listItem', text: 'one' },
                  { type: 'listItem', text: 'two' },
                ],
              },
            ],
          },
          { type: 'listItem', text: 'U' },
        ],
      },
    ]);
  });

  it('reads tables with spans, captions, head and foot, and lists and tables inside cells', () => {
    const html =
      '<table><caption>Cap</caption><tfoot><tr><td colspan=3>foot</table>' +
      '<table><thead><tr><td>h<th>i</thead><tbody><tr><td rowspan=2>a<td>b<tr><td><ul><li>x<li>y</ul><table><tr><td>1<td>2</table></table>';
    expect(blocksOf(html)[0]).toMatchObject({ type: 'caption', text: 'Cap' });
    expect(blocksOf(html)[2]?.rows?.[0]?.map((cell) => cell.header)).toEqual([true, true]);
    expect(tableOf(html.slice(html.indexOf('<table>', 10)))).toEqual([
      ['h', 'i'],
      [['a', 2, 1], 'b'],
      ['- x\n- y\n1 2'],
    ]);
    expect(tableOf('<table><tr><td colspan=1000000000 rowspan=1000000000>x<td>y</table>')).toEqual([
      [['x', 65534, 1000], 'y'],
    ]);
  });

  it('unwraps a table that only arranges the page', () => {
    const html = '<table><tr><td><h1>News</h1><p>One</p></td></tr></table>';
    expect(blocksOf(html).map((block) => [block.type, block.text])).toEqual([
      ['heading', 'News'],
      ['paragraph', 'One'],
    ]);
    expect(blocksOf('<table><tr><td><h2>Name</h2>purpose<td><img></table>').map((block) => block.type)).toEqual([
      'heading',
      'paragraph',
    ]);
    expect(blocksOf('<table role=presentation><tr><td>a<td>b</table>').map((block) => block.text)).toEqual(['a', 'b']);
    expect(
      blocksOf('<table><tr><td>menu<td><table><tr><th>Name<th>Age<tr><td>Ada<td>36</table></table>').map(
        (block) => block.type,
      ),
    ).toEqual(['paragraph', 'table']);
  });

  it('keeps links, also across blocks, at their position in the text', () => {
    expect(blocksOf('<p>see <a href=/a> the <b>page</b> </a>now</p><a href=/b><p>x</p></a>')).toEqual([
      { type: 'paragraph', text: 'see the page now', links: [{ start: 4, end: 12, href: '/a' }] },
      { type: 'paragraph', text: 'x', links: [{ start: 0, end: 1, href: '/b' }] },
    ]);
  });

  it('resolves links against the base and removes links of headings to themselves', () => {
    const html =
      '<head><base href="https://example.org/docs/"></head><a href="one.html">a</a> <a href="/two">b</a> <a href="#c">c</a>' +
      '<h2>Use <a href="x">it</a><a class="headerlink" href="#use">¶</a></h2><h3><a href="#why">#</a> Why</h3>';
    expect(blocksOf(html)).toEqual([
      {
        type: 'paragraph',
        text: 'a b c',
        links: [
          { start: 0, end: 1, href: 'https://example.org/docs/one.html' },
          { start: 2, end: 3, href: 'https://example.org/two' },
          { start: 4, end: 5, href: '#c' },
        ],
      },
      { type: 'heading', level: 2, text: 'Use it', links: [{ start: 4, end: 6, href: 'https://example.org/docs/x' }] },
      { type: 'heading', level: 3, text: 'Why', links: [] },
    ]);
    expect(blocksOf('<base href="/up/"><a href="x">a</a>')[0]?.links).toEqual([{ start: 0, end: 1, href: 'x' }]);
  });

  it('removes permalinks of headings, terms and captions, also those of icon fonts', () => {
    const html =
      '<h2>A<a class="headerlink" href="#a">\ue0c1</a></h2><h2 class="memtitle"><span><a href="#b">&#9670;&nbsp;</a></span>b()</h2>' +
      '<h2>C<a href="#c" class="hash-link">\u200b</a></h2><dl><dt>d<a href="#d">¶</a><dd>e</dl>' +
      '<p>Table 1<a class="headerlink" href="#t">¶</a></p><p>See <a href="#n">§</a></p><h2>Edit<span class="mw-editsection">[<a href="/e">edit</a>]</span></h2>';
    expect(textOf(html)).toBe('A\nb()\nC\nd\ne\nTable 1\nSee §\nEdit');
  });

  it('reads elements whose role is heading as headings', () => {
    expect(blocksOf('<div role=heading aria-level=3>Deep</div><p role=heading>Plain</p>')).toEqual([
      { type: 'heading', level: 3, text: 'Deep', links: [] },
      { type: 'heading', level: 2, text: 'Plain', links: [] },
    ]);
  });

  it('reads a list whose items are sections with headings as those sections', () => {
    const html = '<ul><li>one<h3>A</h3><p>a</p><li><ul><li><h4>B</h4>b</ul></ul><ol><li><h3>Step</h3></ol>';
    expect(blocksOf(html).map((block) => [block.type, block.text])).toEqual([
      ['paragraph', 'one'],
      ['heading', 'A'],
      ['paragraph', 'a'],
      ['heading', 'B'],
      ['paragraph', 'b'],
      ['list', undefined],
    ]);
  });

  it('begins a numbered list with the value of its first item', () => {
    expect(blocksOf('<ol><li value=4>d<li>e</ol>')[0]?.start).toBe(4);
  });

  it('removes soft hyphens', () => {
    expect(textOf('<p>Donau&shy;dampf&shy;schiff</p>')).toBe('Donaudampfschiff');
  });

  it('reads pictures of formulas as their TeX', () => {
    const html =
      '<p>so <span style="display: none"><math><mi>x</mi></math></span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle x^{2}}">.</p>' +
      '<img class="mwe-math-fallback-image-display" alt="{\\displaystyle y}"><p><img class=math alt="a_1"></p>';
    expect(blocksOf(html).map((block) => [block.type, block.text])).toEqual([
      ['paragraph', 'so $x^{2}$.'],
      ['formula', 'y'],
      ['paragraph', '$a_1$'],
    ]);
  });

  it('reads TeX as formulas if a script of the page typesets it, but not in code', () => {
    const html = '<p>Let \\(a^2\\) be \\[ b^2 \\] or $$c$$ and \\( open, <code>\\(d\\)</code></p>';
    expect(blocksOf(`<script src="/tex/MathJax.js"></script>${html}`).map((block) => [block.type, block.text])).toEqual(
      [
        ['paragraph', 'Let $a^2$ be'],
        ['formula', 'b^2'],
        ['paragraph', 'or'],
        ['formula', 'c'],
        ['paragraph', 'and \\( open, \\(d\\)'],
      ],
    );
    expect(textOf(html)).toBe('Let \\(a^2\\) be \\[ b^2 \\] or $$c$$ and \\( open, \\(d\\)');
  });

  it('reads a formula drawn by MathJax once', () => {
    const html =
      '<p>is <span class="MathJax_Preview">x2</span><span class="MathJax">x2</span><script type="math/tex">x^2</script></p>';
    expect(textOf(html)).toBe('is $x^2$');
  });

  it('separates the texts of adjacent pictures', () => {
    expect(textOf('<img alt=One><img alt=Two>')).toBe('One Two');
    expect(textOf('<p>E=<img alt="mc²">.')).toBe('E=mc².');
  });

  it('reads code, quotes, figures, formulas and form fields', () => {
    const html =
      '<pre><code class="hljs language-js">a\n  b</code></pre><blockquote>said</blockquote><figure><img src=x alt="A cat"><figcaption>Fig. 1</figcaption></figure>' +
      '<p>x<sup>2</sup> is <math alttext="x^2"><mi>x</mi></math>, not <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p><math display=block><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>' +
      '<p><label>Name <input value=Ada></label> <input type=checkbox checked> ok <select><option>a<option selected>b</select></p>';
    expect(blocksOf(html)).toEqual([
      { type: 'code', text: 'a\n  b', language: 'js' },
      { type: 'quote', text: 'said' },
      { type: 'figure', text: 'A cat', links: [], children: [{ type: 'caption', text: 'Fig. 1', links: [] }] },
      {
        type: 'paragraph',
        text: 'x2 is $x^2$, not $\\frac{1}{2}$',
        marks: [{ start: 1, end: 2, kind: 'raised' }],
      },
      { type: 'formula', text: 'E=mc^2' },
      { type: 'formField', text: 'Name Ada [x] ok b' },
    ]);
  });

  it('removes boilerplate only on request', () => {
    const html =
      '<nav>Menu</nav><header class=site>Logo</header><div class="cookie-banner">Accept</div><main><article><header>Title</header>Text</article></main><footer>Imprint</footer>';
    expect(textOf(html)).toBe('Menu\nLogo\nAccept\nTitle\nText\nImprint');
    expect(textOf(html, true)).toBe('Title\nText');
  });

  it('removes boilerplate from a file if the parse options request it', async () => {
    const html = Buffer.from('<nav>Menu</nav><p>Text</p>');
    const context = { ...testContext, options: { ...testContext.options, removeBoilerplate: true } };
    const texts = ({ blocks }: { blocks: BlockDraft[] }): (string | undefined)[] => blocks.map((block) => block.text);
    expect(texts(await parseBytes(reader, html, 'html'))).toEqual(['Menu', 'Text']);
    expect(texts(await parseBytes(reader, html, 'html', context))).toEqual(['Text']);
  });

  it('accepts unlimited nesting', () => {
    for (const open of [
      '<div>',
      '<ul><li>',
      '<blockquote>',
      '<table><tr><td>',
      '<b>',
      '<a href=x>',
      '<h1>',
      '<dl><dd>',
      '<figure>',
    ]) {
      const tree = finishTree(parseHtml(`${open.repeat(3000)}needle`), null);
      expect(plainText(tree.blocks), open).toContain('needle');
    }
  });

  it('never throws on any tags in any order', () => {
    const tag = fc.constantFrom(
      '<p>',
      '</p>',
      '<table>',
      '<tr>',
      '<td>',
      '<th rowspan=0>',
      '</table>',
      '<li>',
      '<ul>',
      '</ul>',
      '<dl>',
      '<dd>',
      '<dt>',
      '<a href=x>',
      '</a>',
      '<caption>',
      '<h2>',
      '</h2>',
      '<figure>',
      '<figcaption>',
      '<select><option>',
      '<svg><title>',
      '<math>',
      '<sup>',
      '</sup>',
      '<rt>',
      '<q>',
      '<pre>',
      '<br>',
      '<tfoot>',
      'text ',
      ' ',
      '<template>',
      '</template>',
    );
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 30 }), (tags) => {
        finishTree(parseHtml(tags.join('')), null);
      }),
      { numRuns: 500 },
    );
  });
});
