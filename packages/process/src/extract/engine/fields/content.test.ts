import { describe, expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';
import { isFigure } from './content.ts';

const table = (...rows: string[][]): BlockDraft => ({
  type: 'table',
  page: 1,
  rows: rows.map((row, at) => row.map((text) => ({ text, rowSpan: 1, colSpan: 1, header: at === 0 }))),
});
const heading = (text: string): BlockDraft => ({ type: 'heading', level: 2, text, page: 1 });
const paragraph = (text: string): BlockDraft => ({ type: 'paragraph', text, page: 1 });
const text = { type: 'string' };
const object = (properties: object): object => ({ type: 'object', properties });
const list = (properties: object): object => ({ type: 'array', items: object(properties) });
const read = (schema: object, ...blocks: BlockDraft[]): unknown =>
  extractTree(finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, 'en'), readSchema(schema)).data;

describe('the content of a column is weighed against the name of the field', () => {
  const results = object({ results: list({ name: text, time: text }) });

  test('a column "Time" with words is no time', () => {
    const rows = table(
      ['Name', 'Time', 'Official time'],
      ['Mira Holm', 'RELAY', '58.31'],
      ['Tove Brandt', 'RELAY', '1:02.04'],
      ['Ida Petersen', 'RELAY', 'DNS'],
    );
    expect(read(results, rows)).toEqual({
      results: [
        { name: 'Mira Holm', time: '58.31' },
        { name: 'Tove Brandt', time: '1:02.04' },
        { name: 'Ida Petersen', time: 'DNS' },
      ],
    });
  });

  test('a column "Name" with numbers holds no names', () => {
    const rows = table(['Name', 'Swimmer name', 'Time'], ['17', 'Mira Holm', '58.31'], ['18', 'Tove Brandt', '59.02']);
    expect(read(results, rows)).toEqual({
      results: [
        { name: 'Mira Holm', time: '58.31' },
        { name: 'Tove Brandt', time: '59.02' },
      ],
    });
  });

  test('a labelled word is no time', () => {
    expect(read(object({ time: text }), paragraph('Time: RELAY'), paragraph('Time: 10.30 am'))).toEqual({
      time: '10.30 am',
    });
  });
});

test('the group of the rows below is named by words, not by a time', () => {
  const groups = object({ groups: list({ group: text, results: list({ name: text, points: { type: 'number' } }) }) });
  const rows = (name: string, points: string): BlockDraft =>
    table(['Name', 'Points'], [name, points], ['Ida Wulf', '7']);
  const blocks = [heading('Girls under 12'), paragraph('10.30 am'), rows('Mira Holm', '9')];
  expect(read(groups, ...blocks, heading('Girls under 14'), paragraph('11 h'), rows('Tove Brandt', '8'))).toEqual({
    groups: [
      {
        group: 'Girls under 12',
        results: [
          { name: 'Mira Holm', points: 9 },
          { name: 'Ida Wulf', points: 7 },
        ],
      },
      {
        group: 'Girls under 14',
        results: [
          { name: 'Tove Brandt', points: 8 },
          { name: 'Ida Wulf', points: 7 },
        ],
      },
    ],
  });
});

test.each([
  ['10:30 AM', true],
  ['12.04.2031', true],
  ['2.03,45', true],
  ['1,204', true],
  ['50 m freestyle', false],
  ['Group 4', false],
  ['Relay', false],
])('%s is a figure: %s', (given, expected) => {
  expect(isFigure(given)).toBe(expected);
});
