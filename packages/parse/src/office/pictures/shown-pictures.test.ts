// large: recognises whole pages
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ParseContext } from '../../parser.ts';
import { paragraphPicture } from '../../ocr/testing/text-picture.ts';
import { reader as docx } from '../../formats/docx/docx.ts';
import { reader as odf } from '../../formats/odf/odf.ts';
import { reader as pptx } from '../../formats/pptx/pptx.ts';
import { docxParts, paragraph, relationships } from '../testing/docx-parts.ts';
import { odfParts } from '../testing/odf-parts.ts';
import { pack, parseBytes, testContext } from '../testing/parse-parts.ts';
import { line, pptxParts, shape } from '../testing/pptx-parts.ts';

const PARAGRAPH =
  'The harbour master keeps a book in which every big ship that enters the port is written down with the day of its arrival and its home port. Nobody has ever asked him what the book is for, and he would not have known what to answer them.';
const auto: ParseContext = { ...testContext, options: { ...testContext.options, ocr: 'auto' } };
const always: ParseContext = { ...testContext, options: { ...testContext.options, ocr: 'always' } };
const picture = await paragraphPicture();
const damaged = readFileSync(import.meta.filename);

const drawing = (id: string): string =>
  `<w:p><w:r><w:drawing><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></w:drawing></w:r></w:p>`;
const word = (body: string): Uint8Array =>
  pack(
    docxParts(body, {
      'word/_rels/document.xml.rels': relationships(['p1', 'image', 'media/a.png'], ['p2', 'image', 'media/b.emf']),
      'word/media/a.png': picture,
      'word/media/b.emf': damaged,
    }),
  );
const slidePicture =
  '<p:pic><p:nvPicPr/><p:blipFill><a:blip r:embed="p1"/></p:blipFill><p:spPr><a:xfrm><a:off x="500" y="0"/><a:ext cx="500" cy="400"/></a:xfrm></p:spPr></p:pic>';
const slides = (...shapes: string[]): Uint8Array =>
  pack(
    pptxParts(shapes, {
      ...Object.fromEntries(
        shapes.map((_, index) => [
          `ppt/slides/_rels/s${index}.xml.rels`,
          relationships(['p1', 'image', '../media/a.png']),
        ]),
      ),
      'ppt/media/a.png': picture,
    }),
  );

describe('pictures of documents without text', () => {
  it('are read in a Word file, except undecodable ones', async () => {
    const { blocks } = await parseBytes(docx, word(drawing('p2') + drawing('p1') + drawing('p1')), 'docx', auto);
    expect(blocks.filter((block) => block.type !== 'figure')).toEqual([{ type: 'paragraph', text: PARAGRAPH }]);
  });

  it('remain pictures if there is other text, or if OCR is disabled', async () => {
    const beside = word(drawing('p1') + paragraph('Some words.'));
    const texts = async (bytes: Uint8Array, context = auto): Promise<(string | undefined)[]> =>
      (await parseBytes(docx, bytes, 'docx', context)).blocks.map((block) => block.text);
    expect(await texts(beside)).toEqual([undefined, 'Some words.']);
    expect(await texts(word(drawing('p1')), testContext)).toEqual([undefined]);
    expect(await texts(beside, always)).toEqual([undefined, 'Some words.', PARAGRAPH]);
  });

  it('are read on slides without text, once each, with their position on the slide', async () => {
    const titled = shape({ placeholder: '<p:ph type="title"/>', paragraphs: line('Harbours') });
    const background =
      '</p:spTree><p:bg><p:bgPr><a:blipFill><a:blip r:embed="p1"/></a:blipFill></p:bgPr></p:bg><p:spTree>';
    const bytes = slides(titled + slidePicture, slidePicture, background);
    const { blocks } = await parseBytes(pptx, bytes, 'pptx', auto);
    const read = blocks.filter((block) => block.text === PARAGRAPH);
    expect(blocks.map((block) => [block.page, block.type])).toEqual([
      [1, 'heading'],
      [1, 'figure'],
      [2, 'figure'],
      [2, 'paragraph'],
    ]);
    expect(read.map(({ page, bbox }) => [page, bbox?.map((side) => Math.round(side * 10) / 10)])).toEqual([
      [2, [0.5, 0.1, 0.9, 0.2]],
    ]);
  });

  it('are read in OpenDocument text and slides', async () => {
    const frame = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>';
    const texts = async (body: string): Promise<(string | undefined)[]> => {
      const bytes = pack(odfParts(body, { 'Pictures/a.png': picture }));
      return (await parseBytes(odf, bytes, 'odt', auto)).blocks.map((block) => block.text);
    };
    expect(await texts(`<office:text><text:p>${frame}</text:p></office:text>`)).toEqual([undefined, PARAGRAPH]);
    const shown = `<office:presentation><draw:page>${frame}</draw:page></office:presentation>`;
    expect(await texts(shown)).toEqual([undefined, PARAGRAPH]);
  });
});
