// large: fills the memory of a parser
import { expect, it } from 'vitest';
import { makePdf, TestPage } from './testing/make-pdf.ts';
import { parsePdf } from './testing/parse-pdf.ts';

it('fails with an error when a recursive form exhausts the memory limit, and reads the next file', async () => {
  const bytes = makePdf([new TestPage().text(60, 80, 'fine')]);
  await expect(parsePdf(selfDrawing())).rejects.toMatchObject({ name: 'ContentError', type: 'too_large' });
  expect((await parsePdf(bytes)).blocks[0]?.text).toBe('fine');
});

/** Builds thirty forms, each of which draws the next one twice. */
function selfDrawing(): Buffer {
  const depth = 30;
  const form = (index: number): string => {
    const content = index < depth - 1 ? '/X Do /X Do' : '0 0 m 1 1 l S';
    return `${10 + index} 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${11 + index} 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`;
  };
  const forms = Array.from({ length: depth }, (_, index) => form(index)).join('');
  return Buffer.from(
    `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n` +
      `3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</X 10 0 R>>>>>>\nendobj\n` +
      `4 0 obj\n<</Length 5>>\nstream\n/X Do\nendstream\nendobj\n${forms}trailer\n<</Root 1 0 R/Size 50>>\n`,
  );
}
