import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SafeMarkup } from './safe-markup.ts';

const KNOWN = 'https://docs.example/fees';
const isKnown = (address: string): boolean => address === KNOWN;

function read(...pieces: string[]): string {
  const markup = new SafeMarkup(isKnown);
  return [...pieces.map((piece) => markup.push(piece)), markup.end()].join('');
}

describe('markup of answers', () => {
  test.each([
    ['an image becomes its description', 'See ![the chart](https://evil.example/?q=4711) here.', 'See the chart here.'],
    ['an image without description goes', 'a![](//evil.example/x)b', 'a b'],
    ['an image inside of a link goes too', '[![a](https://evil.example/1)](https://evil.example/2)', 'a'],
    ['a link to an unknown address keeps its text', 'Read [this](https://evil.example/?q=1).', 'Read this.'],
    ['a link that a source has stays', `Read [the fees](${KNOWN}).`, `Read [the fees](${KNOWN}).`],
    ['a link with another scheme keeps its text', '[c](javascript:alert(1))', 'c'],
    ['a relative link stays', '[next](/chapter/2)', '[next](/chapter/2)'],
    ['definitions of references go', 'x ![a][e]\n\n[e]: https://evil.example/?q=1', 'x a\n\n '],
    ['an address in angle brackets goes', 'At <https://evil.example/?q=1> now', 'At   now'],
    ['active elements go', 'a <img src=x onerror=y> <script>1</script> b', 'a    1  b'],
    [
      'other elements and comparisons stay',
      'a < b, List<String> and <b>bold</b>',
      'a < b, List<String> and <b>bold</b>',
    ],
    ['brackets that are no links stay', 'f(a[0], b[i + 1]) and [x] done [1]', 'f(a[0], b[i + 1]) and [x] done [1]'],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('text is held back only as long as it may become markup', () => {
    const markup = new SafeMarkup(isKnown);
    expect(
      ['See ', '[th', 'is](htt', 'ps://evil.example/', '?q=1) no', 'w'].map((piece) => markup.push(piece)),
    ).toEqual(['See ', '', '', '', 'this no', 'w']);
    expect(markup.end()).toBe('');
  });

  test('the result does not depend on how the text is cut into pieces', () => {
    const part = fc.constantFrom(
      '![a](https://evil.example/)',
      '[b](//evil.example)',
      `[c](${KNOWN})`,
      '[',
      ']',
      '!',
      '(',
      ')',
      '<img x>',
      '<b>',
      'word ',
      '\n',
      '[1]',
      'https://evil.example/',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(30), { maxLength: 6 }), (parts, cuts) => {
        const text = parts.join('');
        const places = cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
        const result = read(...pieces);
        expect(result).toBe(read(text));
        expect(result).not.toMatch(/!\[[^\]\n]*\]\((?:https?:)?\/\/|<img/);
        expect(result.replaceAll(`](${KNOWN})`, '')).not.toMatch(/\[[^\]\n]*\]\((?:https?:)?\/\//);
      }),
      { numRuns: 300 },
    );
  });
});
