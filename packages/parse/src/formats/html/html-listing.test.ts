import { describe, expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { plainText } from '@quire/blocks/walk';
import { parseHtml } from './html.ts';

const blocksOf = (html: string): BlockDraft[] => parseHtml(html).blocks;
const textOf = (html: string): string => plainText(blocksOf(html));
const cellsOf = (html: string): string[][] | undefined =>
  blocksOf(html)[0]?.rows?.map((row) => row.map((cell) => cell.text));

describe('code in HTML', () => {
  it.each([
    [
      'in a column of a table',
      '<table><tr><td class=linenos><div><pre>1\n2</pre></div></td><td class=code><div><pre>a:\n  b</pre></div></table>',
    ],
    ['in a column without a name', '<table><tr><td><pre>9\n10</pre></td><td><pre>a:\n  b</pre></td></tr></table>'],
    [
      'in a table within the code',
      '<pre><code><table><tr><td class="gutter gl"><pre>1\n2\n</pre></td><td><pre>a:\n  b</pre></table></code></pre>',
    ],
    ['before each line', '<pre><span class="linenos">1</span>a:\n<span class="linenos">2</span>  b</pre>'],
    [
      'before each line, by their style',
      '<pre><span style="user-select:none">1\n</span>a:\n<span style="user-select:none">2\n</span>  b</pre>',
    ],
    [
      'in a row for each line',
      '<table><tr><td class="blob-num" data-line-number="1"></td><td>a:</td></tr><tr><td data-line-number="2"></td><td>  b</td></tr></table>',
    ],
    [
      'in a box for each line',
      '<div class="fragment"><div class="line"><span class="lineno">  1</span>&#160;a:</div>\n<div class="line"><span class="lineno">  2</span>&#160;  b</div></div>',
    ],
    ['as numbers of a list', '<pre class="linenums"><ol><li>a:</li><li>  b</li></ol></pre>'],
    ['in a listing of their own', '<pre class="src-line-numbers"><a>1</a>\n<a>2</a></pre><pre>a:\n  b</pre>'],
  ])('leaves out the line numbers of code: %s', (_, html) => {
    expect(blocksOf(html)).toEqual([{ type: 'code', text: 'a:\n  b' }]);
  });

  it('keeps tables of numbers next to code as tables, and empty lines of boxes as lines', () => {
    expect(cellsOf('<table><tr><td>1<td>a<tr><td>2<td>b</table>')).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    expect(cellsOf('<table><tr><td><pre>7\n9</pre><td><pre>a</pre></table>')).toEqual([['7\n9', 'a']]);
    expect(
      textOf('<div class="fragment"><div class="line">a</div><div class="line"></div><div class="line">b</div></div>'),
    ).toBe('a\n\nb');
    expect(textOf('<pre>a<button>Copy</button></pre>')).toBe('a');
  });
});
