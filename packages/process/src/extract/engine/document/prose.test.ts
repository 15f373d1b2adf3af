import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';
import { segmentDocument } from './segments.ts';

const code = (...lines: string[]): BlockDraft => ({ type: 'code', page: 1, text: lines.join('\n') });
const tree = (block: BlockDraft) => finishTree({ blocks: [block], pageCount: 1, title: null, warnings: [] }, 'en');
const textsOf = (block: BlockDraft): string[] => segmentDocument(tree(block)).segments.map(({ text }) => text);

const agreement = code(
  '     This SERVICE AGREEMENT (the "Agreement") is made this 1st day of',
  'November, 2031 by and between Mira Holm, an individual ("ADVISER"), with her',
  'offices located in Bristol; and Northern Light Ltd, an English company (the',
  'COMPANY), with its offices located at 35 Harbour Road,',
  'Bristol BS1 4DJ.',
);

test('running text in a font of fixed width is one text', () => {
  expect(textsOf(agreement)).toEqual([agreement.text]);
  const schema = { type: 'object', properties: { parties: { type: 'array', items: { type: 'string' } } } };
  expect(extractTree(tree(agreement), readSchema(schema)).data).toEqual({
    parties: ['Mira Holm', 'Northern Light Ltd'],
  });
});

test('justified text with wide spaces is one text', () => {
  const law = code(
    'This  Agreement  shall be  effective upon the  date above and shall remain',
    'in  force  for  a  period of  one  (1)  year,  and  any  action  related',
    'thereto  shall  be  governed  by  the laws of the State of Nevada, where it',
    'is  made.',
  );
  expect(textsOf(law)).toHaveLength(1);
  const schema = { type: 'object', properties: { governing_law: { type: 'string' }, term: { type: 'string' } } };
  expect(extractTree(tree(law), readSchema(schema)).data).toEqual({ governing_law: 'Nevada', term: '1 year' });
});

test('addresses, columns and programs keep their lines', () => {
  expect(textsOf(code('Holm Joinery', '52 Church Lane', 'Norwich NR2 1AB'))).toHaveLength(3);
  expect(textsOf(code('Oak table   2   450.00', 'Chair   4   80.00', 'Lamp   1   20.00'))).toHaveLength(9);
  expect(textsOf(code('if (a) {', '  run();', '}', 'stop();'))).toHaveLength(4);
});
