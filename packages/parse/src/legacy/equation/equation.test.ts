import { expect, it } from 'vitest';
import { reader as docx } from '../../formats/docx/docx.ts';
import { reader as pptx } from '../../formats/pptx/pptx.ts';
import { reader as rtf } from '../rtf/rtf.ts';
import { docxParts, paragraph, relationships } from '../../office/testing/docx-parts.ts';
import { outline, pack, parseBytes } from '../../office/testing/parse-parts.ts';
import { pptxParts } from '../../office/testing/pptx-parts.ts';
import { container, word97File } from '../../office/testing/word-file.ts';
import { reader as doc } from '../doc/doc.ts';
import { latexOfEquation } from './equation-object.ts';

type Bytes = readonly (number | Bytes)[];

const flat = (bytes: Bytes): number[] => bytes.flatMap((each) => (typeof each === 'number' ? [each] : flat(each)));

/** Builds an `Equation Native` stream around records. */
function stream(header: readonly number[], records: Bytes): Buffer {
  const mtef = Buffer.from([...header, ...flat(records)]);
  const head = Buffer.alloc(28);
  head.writeUInt16LE(28, 0);
  head.writeUInt32LE(mtef.length, 8);
  return Buffer.concat([head, mtef]);
}

const NULL_LINE = 0x11;
const character = (text: string, typeface = 3): Bytes => [
  0x02,
  128 + typeface,
  text.charCodeAt(0),
  text.charCodeAt(0) >> 8,
];
const word = (text: string, typeface: number): Bytes => Array.from(text, (each) => character(each, typeface));
const line = (...content: Bytes): Bytes => [0x01, content, 0];
const template = (selector: number, variation: number, ...parts: Bytes): Bytes => [
  0x03,
  selector,
  variation,
  0,
  parts,
  0,
];
const equation3 = (...content: Bytes): Buffer => stream([3, 1, 1, 3, 10], [0x0a, line(...content), 0]);

/** In version 5, flags have a byte of their own, as in line and character. */
const line5 = (...content: Bytes): Bytes => [0x01, 0, content, 0];
const character5 = (text: string, typeface = 3): Bytes => [
  0x02,
  0,
  128 + typeface,
  text.charCodeAt(0),
  text.charCodeAt(0) >> 8,
];
const equation5 = (...content: Bytes): Buffer =>
  stream(
    [5, 1, 0, 6, 7, ...Buffer.from('DSMT6\0'), 0],
    [
      // An unknown record, a font, preferences (two sizes, one space, two styles), a named colour, a size.
      [100, 3, 1, 2, 3],
      [17, 5, ...Buffer.from('Times\0')],
      [18, 0, 2, 0x12, 0xf2, 0x3f, 1, 0x15, 0xf0, 2, 1, 0, 0],
      [16, 4, 0, 0, 0, 0, 0, 0, ...Buffer.from('red\0')],
      [9, 101, 12, 0],
      line5(...content),
      0,
    ],
  );

it('reads formulas of Equation Editor', () => {
  const root = template(13, 0, line(character('x'), template(15, 0, line(character('2', 8)), [NULL_LINE])), [
    NULL_LINE,
  ]);
  const fraction = template(14, 0, line(word('sin', 2), character('a')), line(root));
  expect(latexOfEquation(equation3(character('y'), character('=', 6), fraction))).toBe(
    'y=\\frac{\\sin a}{\\sqrt{x_{2}}}',
  );
  const sum = template(
    29,
    2,
    line(character('k')),
    line(character('k'), character('=', 6), character('1', 8)),
    line(character('n')),
  );
  expect(latexOfEquation(equation3(sum, character('∞', 6)))).toBe('\\sum_{k=1}^{n} k \\infty');
  const braces = template(2, 1, [0x05, 1, 1, 1, 2, 1, 0, 0, line(character('a')), line(word('if so', 1)), 0]);
  expect(latexOfEquation(equation3(braces))).toBe('\\left\\{\\begin{matrix}a \\\\ \\text{if so}\\end{matrix}\\right.');
});

it('skips nudges, sizes and fonts, and keeps marks over characters', () => {
  const nudged = [0x82, 128, 128, 1, 0, 2, 0, 131, 0x76, 0];
  const hatted = [0x22, 131, 0x76, 0, 0x06, 9, 0, 0];
  const font = [0x08, 1, 0, ...Buffer.from('Arial\0')];
  expect(latexOfEquation(equation3([0x09, 100, 1, 2, 0], font, nudged, hatted))).toBe('v\\hat{v}');
});

it('reads formulas of MathType, whose templates have other numbers and longer variations', () => {
  const script = [0x03, 0, 28, 0, 0, [0x01, 1], line5(character5('2', 8)), 0];
  const integral = [
    0x03,
    0,
    15,
    0x81,
    0x01,
    0,
    line5(character5('x')),
    line5(character5('0', 8)),
    [0x01, 1],
    character5('∫', 22),
    0,
  ];
  expect(latexOfEquation(equation5(integral, script))).toBe('\\int_{0} x^{2}');
});

it('reads no formula from other versions, truncated ones and blank templates', () => {
  expect(latexOfEquation(stream([2, 1, 1, 3, 10], [line(character('x')), 0]))).toBe(undefined);
  expect(latexOfEquation(equation3(template(14, 0, line(), line())))).toBe(undefined);
  const whole = equation3(character('x'));
  expect(latexOfEquation(Buffer.concat([whole.subarray(0, 37), Buffer.alloc(0)]))).toBe(undefined);
  expect(latexOfEquation(equation3(...Array.from({ length: 200 }, () => 0x01)))).toBe(undefined);
});

const object = container({
  'Equation Native': equation3(character('x'), template(15, 0, [NULL_LINE], line(character('2', 8)))),
});

it('finds the formulas that Word files, slides and RTF embed', async () => {
  const embedded = '<w:r><w:object><o:OLEObject ProgID="Equation.3" r:id="r9"/></w:object></w:r>';
  const body =
    `<w:p><w:r><w:t>Let </w:t></w:r>${embedded}<w:r><w:t>be</w:t></w:r></w:p><w:p>${embedded}</w:p>`.replaceAll(
      '<o:OLEObject',
      '<o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office"',
    );
  const parts = docxParts(body + paragraph('end'), {
    'word/_rels/document.xml.rels': relationships(['r9', 'oleObject', 'embeddings/o1.bin']),
    'word/embeddings/o1.bin': object,
  });
  expect(outline((await parseBytes(docx, pack(parts), 'docx')).blocks)).toEqual([
    'paragraph: Let $x^{2}$ be',
    'formula: x^{2}',
    'paragraph: end',
  ]);
  const frame =
    '<p:graphicFrame><a:graphic><a:graphicData><p:oleObj progId="Equation.DSMT4" r:id="r5"/></a:graphicData></a:graphic></p:graphicFrame>';
  const slides = pptxParts([frame], {
    'ppt/slides/_rels/s0.xml.rels': relationships(['r5', 'oleObject', '../embeddings/o1.bin']),
    'ppt/embeddings/o1.bin': object,
  });
  expect(outline((await parseBytes(pptx, pack(slides), 'pptx')).blocks)).toEqual(['formula: x^{2}']);
  const data = `01050000${Buffer.from(object).toString('hex')}`.replaceAll(/(.{64})/g, '$1\n');
  const text = `{\\rtf1\\ansi Let {\\object\\objemb{\\*\\objclass Equation.3}{\\*\\objdata ${data}}{\\result{\\pict 00ff}}}be\\par}`;
  expect(outline((await parseBytes(rtf, Buffer.from(text), 'rtf')).blocks)).toEqual(['paragraph: Let $x^{2}$ be']);
});

it('finds the formulas of Word binary files by the number of the separator of their field', async () => {
  const field = '\u0013 EMBED Equation.3 \u0014\u0001\u0015';
  const separator = 4 + field.indexOf('\u0014');
  const file = word97File([{ text: `Let ${field}be` }], 0, {
    lengths: {},
    tables: [],
    characters: { start: separator, end: separator + 1, properties: Buffer.from([0x03, 0x6a, 7, 0, 0, 0]) },
    streams: {
      'ObjectPool/_7/Equation Native': equation3(character('x')),
      'ObjectPool/_8/Equation Native': equation3(),
    },
  });
  expect(outline((await parseBytes(doc, file, 'doc')).blocks)).toEqual(['paragraph: Let $x$ be']);
});
