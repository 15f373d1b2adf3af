import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../formats/pdf/testing/parse-pdf.ts';

const BODY = [
  'The dues are told by a program that the master of the harbour wrote,',
  'which asks for the length of the boat and for the number of nights.',
  'It is shown below as it was printed in the ledger of the council, and',
  'has been in use since then, with a change or two in every other year.',
];
const CODE = ['def dues(boat):', '  rate = 12', '', '  if boat.member:', '               rate = 0', '  return rate'];

describe.each([
  ['small numbers', { size: 6 }, 40],
  ['numbers of the text', { size: 10 }, 40],
  ['monospace numbers', { size: 10, font: 'mono' as const }, 45],
  ['numbers far left', { size: 8 }, 20],
])('%s', (_, style, x) => {
  it('belong to the lines of a listing', async () => {
    const page = new TestPage().lines(60, 100, BODY);
    CODE.forEach((code, index) => {
      const y = 170 + index * 12;
      const number = String(index + 8);
      page.text(number.length === 1 ? x + 0.5 * style.size : x, y, number, style);
      if (code !== '') page.text(64 + 6 * code.search(/\S/), y, code.trim(), { font: 'mono' });
    });
    const { blocks } = await parsePdf(makePdf([page]));
    const outline = outlineOf(blocks).map((line) => line.replaceAll(/ +/g, ' '));
    expect(outline).toEqual([
      `paragraph: ${BODY.join(' ')}`,
      'code: 8 def dues(boat):\n 9 rate = 12\n10\n11 if boat.member:\n12 rate = 0\n13 return rate',
    ]);
  });
});

it('keeps a ruled table of numbers and names', async () => {
  const page = new TestPage().lines(60, 60, BODY).grid([60, 100, 300], [120, 140, 160, 180, 200]);
  ['EPERM', 'ENOENT', 'ESRCH', 'EINTR'].forEach((name, index) => {
    page.text(64, 134 + index * 20, String(index + 1)).text(104, 134 + index * 20, name, { font: 'mono' });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks.find(({ type }) => type === 'table'))).toHaveLength(4);
});

it.each([
  ['regular', true],
  ['mono', false],
] as const)(
  'reads %s numbers in a report set in a monospace font as line numbers of code: %s',
  async (font, isCode) => {
    const page = new TestPage();
    const lines = ['def dues(boat):', 'rate = 12', 'if boat.member or boat.pilot:', 'return rate;'];
    lines.forEach((line, index) => {
      page.text(50, 100 + index * 12, String(index + 1), { font }).text(70, 100 + index * 12, line, { font: 'mono' });
    });
    const { blocks } = await parsePdf(makePdf([page]));
    expect(blocks.some(({ type, text }) => type === 'code' && /4 +return rate;/.test(text ?? ''))).toBe(isCode);
  },
);
