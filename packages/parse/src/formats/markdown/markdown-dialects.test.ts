import { describe, expect, it } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { parseMarkdown } from './markdown.ts';

const blocksOf = (source: string): BlockDraft[] => parseMarkdown(source).blocks;
const markdownOf = (source: string): string => toMarkdown(finishTree(parseMarkdown(source), null)).trimEnd();
const cellsOf = (source: string): (string | [string, number, number])[][] | undefined =>
  blocksOf(source)[0]?.rows?.map((row) =>
    row.map((cell) => (cell.rowSpan > 1 || cell.colSpan > 1 ? [cell.text, cell.rowSpan, cell.colSpan] : cell.text)),
  );

describe('Markdown of documentation tools', () => {
  it('reads definition lists as lists below their terms', () => {
    const source = 'Term\n: one *a*\n: two\nNext\n\n:   three\n\n    - four\n\nAfter\n\ntext\nmore\n: no term';
    expect(markdownOf(source)).toBe(
      '- Term\n  - one a\n  - two\n- Next\n  - three\n    - four\n\nAfter\n\ntext more : no term',
    );
  });

  it('reads grid tables with spans and Markdown in their cells', () => {
    const grid = `
+---------------------+----------+
| Property            | Earth    |
+=============+=======+==========+
|             | min   | - cold   |
| Temperature |       | - *very* |
|             +-------+----------+
|             | max   | 56.7 °C  |
+-------------+-------+----------+
`;
    expect(cellsOf(grid)).toEqual([
      [['Property', 1, 2], 'Earth'],
      [['Temperature', 2, 1], 'min', '- cold\n- very'],
      ['max', '56.7 °C'],
    ]);
    expect(blocksOf(grid)[0]?.rows?.map((row) => row[0]?.header)).toEqual([true, false, false]);
    expect(blocksOf('+---+\n| a |\n\nno end').map((block) => block.type)).toEqual(['paragraph', 'paragraph']);
  });

  it('reads columns under runs of dashes as tables, and distinguishes them from rules', () => {
    expect(cellsOf('  Right   Left\n-------   ------\n     12   a b\n    123   c\n')).toEqual([
      ['Right', 'Left'],
      ['12', 'a b'],
      ['123', 'c'],
    ]);
    expect(cellsOf('---  ---\n a    b\n---  ---')).toEqual([['a', 'b']]);
    expect(blocksOf('---  ---\n\ntext').map((block) => block.type)).toEqual(['paragraph']);
    expect(markdownOf('A sentence that goes on\n-- --\nand on.')).toBe('A sentence that goes on\n\nand on.');
  });

  it('reads captions below a table', () => {
    const captions = blocksOf('| a | b |\n|---|---|\n| 1 | 2 |\n\n: Of numbers\n\nTable: not one');
    expect(captions.map((block) => [block.type, block.text])).toEqual([
      ['table', undefined],
      ['caption', 'Of numbers'],
      ['paragraph', 'Table: not one'],
    ]);
  });

  it.each([
    ['colons', ':::note\n\nRead *this*.\n\n:::\n\nOut', 'Note\n\nRead this.\n\nOut'],
    ['colons with a title', '::: tip[Do so]\nIt.\n:::', 'Do so\n\nIt.'],
    ['colons in braces with settings', ':::{warning} Look\n:class: dropdown\nIt.\n:::', 'Look\n\nIt.'],
    ['indentation', '!!! note "Look"\n    It.\n\n    - a\n\n    More.\n\nOut', 'Look\n\nIt.\n\n- a\n\nMore.\n\nOut'],
    ['folded indentation', '??? bug\n    It.\nOut', 'Bug\n\nIt. Out'],
    ['tabs with code', '=== "JS"\n\n    ```js\n    a:::\n      b\n    ```\n', 'JS\n\n```js\na:::\n  b\n```'],
    ['fences', '```{note} Look\n:class: x\n\nIt is *this*.\n```\nOut', 'Look\n\nIt is this.\n\nOut'],
    ['fences of code', '```{code-block} py\n:linenos:\n\na\n```', '```py\na\n```'],
    ['tags', '{% highlight ruby linenos %}\na *b* c\n{% endhighlight %}\nOut', '```ruby\na *b* c\n```\n\nOut'],
    ['a quote', '> [!NOTE]\n> See [a](b).', '> Note\n>\n> See [a](b).'],
  ])('opens boxes marked by %s', (_, source, expected) => {
    expect(markdownOf(source)).toBe(expected);
  });

  it('keeps boxes in code and directives without text unchanged', () => {
    for (const source of [
      '```\n:::note\n!!! note\n{% highlight a %}\n```',
      '- a\n\n  ```\n  !!! note "x"\n      y\n  ```',
      '- - ```\n    !!! note\n    ```',
      '> ```\n> :::note\n> ```',
      '```mermaid\ngraph\n```',
    ])
      expect(markdownOf(source)).toBe(source);
    expect(blocksOf('```{toctree}\na\n```')).toEqual([{ type: 'code', text: 'a', language: '{toctree}' }]);
  });

  it('removes attributes of headings, but not braces in the text', () => {
    const headings = blocksOf('# A {#a .b}\n\n## C {:.d}\n\n## E {f}\n\n## G \\{#g}');
    expect(headings.map((block) => block.text)).toEqual(['A', 'C', 'E {f}', 'G {#g}']);
  });

  it('reads wiki links, and roles as their visible text', () => {
    expect(blocksOf('[[Page|words]], [[Home]], [[ -f x ]], a[[1]], [[x]](y)')).toEqual([
      {
        type: 'paragraph',
        text: 'words, Home, [[ -f x ]], a[[1]], [x]',
        links: [
          { start: 0, end: 5, href: 'Page' },
          { start: 7, end: 11, href: 'Home' },
          { start: 33, end: 36, href: 'y' },
        ],
      },
    ]);
    expect(blocksOf('See {ref}`the page <target>` of {math}`a^2`.')[0]?.text).toBe('See the page of $a^2$.');
  });
});
