import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply, diff, DiffcpError, Fold, LineReader, readLines, writeLine, type Json, type Line } from './index.ts';

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

test('applying the difference of two states to the first gives the second', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const untouched = JSON.stringify(before);
      expect(apply(before, diff(before, after))).toEqual(after);
      expect(JSON.stringify(before)).toBe(untouched);
    }),
    { numRuns: 1000 },
  );
});

test('a text that grows is appended to, never within a surrogate pair', () => {
  expect(diff({ text: 'ab' }, { text: 'abc' })).toEqual([{ op: 'append', path: '/text', value: 'c' }]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
      const cut = at % (text.length + 1);
      for (const op of diff(text.slice(0, cut), text)) {
        const value = op.op === 'append' && typeof op.value === 'string' ? op.value : '';
        expect(value.charCodeAt(0) >= 0xdc00 && value.charCodeAt(0) <= 0xdfff).toBe(false);
      }
    }),
  );
});

test('an array that grows at its end is appended to', () => {
  expect(diff({ parts: [1] }, { parts: [1, { a: 2 }] })).toEqual([{ op: 'append', path: '/parts', value: { a: 2 } }]);
});

test('operations follow RFC 6902', () => {
  const state = { list: ['a', 'b'], 'a/b': { '~': 1 }, text: 'x' };
  expect(apply(state, [{ op: 'add', path: '/list/1', value: 'c' }])).toEqual({ ...state, list: ['a', 'c', 'b'] });
  expect(apply(state, [{ op: 'add', path: '/list/-', value: 'c' }])).toEqual({ ...state, list: ['a', 'b', 'c'] });
  expect(apply(state, [{ op: 'replace', path: '/a~1b/~0', value: 2 }])).toEqual({ ...state, 'a/b': { '~': 2 } });
  expect(apply(state, [{ op: 'remove', path: '/list/0' }])).toEqual({ ...state, list: ['b'] });
  expect(apply(state, [{ op: 'append', path: '/text', value: 'y' }])).toEqual({ ...state, text: 'xy' });
  expect(apply(state, [{ op: 'replace', path: '', value: null }])).toBeNull();
});

test.each([
  [{ op: 'replace', path: '/nothing', value: 1 }, 'leads to nothing'],
  [{ op: 'remove', path: '' }, 'cannot remove the whole document'],
  [{ op: 'add', path: '/list/3', value: 1 }, 'outside of the array'],
  [{ op: 'add', path: '/list/01', value: 1 }, 'outside of the array'],
  [{ op: 'append', path: '/count', value: 'x' }, 'appends only'],
  [{ op: 'add', path: '/count/x', value: 1 }, 'has no members'],
  [{ op: 'add', path: 'list', value: 1 }, 'not a JSON Pointer'],
  [{ op: 'add', path: '/a~2', value: 1 }, 'not a JSON Pointer'],
  [{ op: 'move', path: '/count', from: '/list' }, 'unknown operation "move"'],
  [{ op: 'test', path: '', value: 1 }, 'unknown operation "test"'],
])('%j is refused: %s', (operation, message) => {
  expect(() => apply({ list: ['a', 'b'], count: 1 }, [operation as never])).toThrowError(DiffcpError);
  expect(() => apply({ list: ['a', 'b'], count: 1 }, [operation as never])).toThrowError(message);
});

test('a member called __proto__ stays a member', () => {
  const after = apply({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
  expect(Object.keys(after as object)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const line = fc
  .record({ seq: fc.nat(), value: fc.string({ unit: 'grapheme' }) })
  .map(({ seq, value }): Line => ({ seq, ops: [{ op: 'append', path: '/text', value }] }));

test('however the byte stream is cut, the same lines come out', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), fc.boolean(), (lines, cuts, finalFeed) => {
      const text = lines.map(writeLine).join('');
      const bytes = new TextEncoder().encode(finalFeed ? text : text.trimEnd());
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
      const reader = new LineReader();
      const read = places.slice(1).flatMap((end, index) => reader.push(bytes.slice(places[index], end)));
      expect([...read, ...reader.end()]).toEqual(lines);
    }),
  );
});

test('a body is read line by line', async () => {
  const text = `${writeLine({ seq: 0, ops: [] })}\n${writeLine({ seq: 1, ops: [] })}`;
  const lines: Line[] = [];
  for await (const each of readLines(new Blob([text]).stream())) lines.push(each);
  expect(lines.map(({ seq }) => seq)).toEqual([0, 1]);
});

test.each(['{"seq":0', '[]', '{"seq":"0","ops":[]}', '{"seq":0}', 'null'])('%s is not a line', (text) => {
  expect(() => new LineReader().push(new TextEncoder().encode(`${text}\n`))).toThrowError(DiffcpError);
});

test('a fold skips repeated lines and refuses a gap', () => {
  const fold = new Fold();
  expect(fold.push({ seq: 0, ops: [{ op: 'replace', path: '', value: { text: 'a' } }] })).toBe(true);
  expect(fold.push({ seq: 0, ops: [] })).toBe(false);
  expect(fold.push({ seq: 1, ops: [{ op: 'append', path: '/text', value: 'b' }] })).toBe(true);
  expect(fold.state).toEqual({ text: 'ab' });
  expect(fold.seq).toBe(1);
  expect(() => fold.push({ seq: 3, ops: [] })).toThrowError('line 3 follows line 1');
});
