import { expect, it } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

it('keeps the lines of a cell with their boxes, and none of a cell of one line', async () => {
  const page = new TestPage();
  for (const y of [100, 180, 200]) page.rule(60, y, 500, y);
  for (const x of [60, 280, 500]) page.rule(x, 100, x, 200);
  page.lines(66, 114, ['Supplier', 'Holm Gartenbau GmbH', 'Feldweg 8', '24103 Kiel']);
  page.lines(286, 114, ['Customer', 'Hollow Oak Joinery', '52 Church Lane', 'Norwich NR2 1AB']);
  page.text(66, 194, 'Invoice number').text(286, 194, 'HG-2041');
  const [table] = finishTree(await parsePdf(makePdf([page])), 'en').blocks;
  const [[supplier, customer] = [], [label] = []] = table?.rows ?? [];
  const linesOf = (cell: typeof supplier) => cell?.lines?.map(({ start, end }) => cell.text.slice(start, end));
  expect(supplier?.text).toBe('Supplier Holm Gartenbau GmbH Feldweg 8 24103 Kiel');
  expect(linesOf(supplier)).toEqual(['Supplier', 'Holm Gartenbau GmbH', 'Feldweg 8', '24103 Kiel']);
  expect(linesOf(customer)).toEqual(['Customer', 'Hollow Oak Joinery', '52 Church Lane', 'Norwich NR2 1AB']);
  expect(label?.lines).toBeUndefined();
  const tops = supplier?.lines?.map(({ page: number, box }) => [number, box[1]] as const) ?? [];
  expect(tops.every(([number, top], at) => number === 1 && top > (tops[at - 1]?.[1] ?? 0))).toBe(true);
  expect([supplier?.lines?.[0]?.box[1], supplier?.lines?.at(-1)?.box[3]]).toEqual([
    supplier?.box?.[1],
    supplier?.box?.[3],
  ]);
});
