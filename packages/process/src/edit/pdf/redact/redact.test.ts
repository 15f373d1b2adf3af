import { PDFDocument, PDFHexString, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { editBytes } from '../../testing/edit-bytes.ts';
import { everything, pageTexts } from '../../testing/pdf-text.ts';

const redactText = (...texts: string[]): object => ({ type: 'redact', texts });

async function redacted(bytes: Uint8Array, ...operations: object[]) {
  const { files, operations: reports } = await editBytes(bytes, 'pdf', operations);
  const file = files[0]!;
  return { file, report: reports[0]!, texts: await pageTexts(file), all: await everything(file) };
}

/** A page whose content is the given operators; font F1 is Helvetica. */
async function rawPage(
  content: string,
  change: (document: PDFDocument) => void = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const sheet = document.addPage([600, 800]);
  const font = document.embedStandardFont(StandardFonts.Helvetica);
  sheet.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F1: font.ref } }));
  sheet.node.set(PDFName.of('Contents'), document.context.register(document.context.stream(content)));
  change(document);
  return document.save({ useObjectStreams: false });
}

describe('redacted text', () => {
  it('is removed from the content, whichever operator shows it, and its neighbours keep their positions', async () => {
    const content = `BT /F1 12 Tf 14 TL 50 700 Td (Keep Secret Name here) Tj (next Secret line) ' 2 1 (spaced Secret words) " 0 Tw 0 Tc
      [(Ker) -20 (ned Sec) 30 (ret Na) -10 (me end)] TJ 90 Tz T* (narrow Secret one) Tj ET`;
    const bytes = await rawPage(content);
    const { texts, all, report } = await redacted(bytes, redactText('secret'));
    expect(texts).toEqual(['Keep Name here next line spaced wordsKerned Name end narrow one']);
    expect(all).not.toMatch(/secret/i);
    expect(report).toEqual({ type: 'redact', changes: 5, pages: [1] });
  });

  it('is found across lines, hyphenation, ligatures and case', async () => {
    const page = new TestPage().lines(60, 100, ['Paid to Gertrude Schmidt-', 'Ohnesorge of SCHMI-', 'DT and Co.']);
    const { texts, report } = await redacted(makePdf([page]), redactText('Schmidt-Ohnesorge', 'Schmidt and Co'));
    expect(texts[0]).not.toMatch(/schmi|ohnesorge|DT and/i);
    expect(texts[0]).toContain('Paid to Gertrude');
    expect(report.changes).toBe(2);
  });

  it('is found by patterns', async () => {
    const page = new TestPage()
      .text(60, 100, 'IBAN DE89 3704 0044 0532 0130 00 and DE02 1203')
      .text(60, 130, 'a@b.example');
    const patterns = [String.raw`DE\d{2}(?: \d{4}){4} \d{2}`, String.raw`\S+@\S+`];
    const { texts } = await redacted(makePdf([page]), { type: 'redact', patterns });
    expect(texts[0]).toMatch(/^IBAN and DE02 1203$/);
  });

  it('is removed from forms on the page, also from forms that another page draws unredacted', async () => {
    const bytes = await rawPage('q 1 0 0 1 10 20 cm /Fm Do Q BT /F1 10 Tf 50 50 Td (plain) Tj ET', (document) => {
      const { context } = document;
      const sheet = document.getPage(0);
      const resources = sheet.node.Resources()!;
      const form = context.stream('BT /F1 12 Tf 50 600 Td (Header of Secret Corp) Tj ET', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 600, 800],
        Resources: { Font: resources.lookup(PDFName.of('Font'))! },
      });
      resources.set(PDFName.of('XObject'), context.obj({ Fm: context.register(form) }));
    });
    const { texts, all } = await redacted(bytes, redactText('Secret Corp'));
    expect(texts[0]).toContain('Header of');
    expect(all).not.toMatch(/secret/i);
  });

  it('is removed from hidden copies, alternative texts, tags, bookmarks, metadata, attachments and earlier revisions', async () => {
    const content = `/Span <</ActualText (Secret Name) /MCID 0>> BDC BT /F1 12 Tf 50 700 Td (Secret Name) Tj ET EMC
      BT 3 Tr /F1 12 Tf 50 700 Td (Secret Name) Tj ET`;
    const bytes = await rawPage(content, (document) => {
      const { context, catalog } = document;
      document.setTitle('About Secret Name');
      const sheet = document.getPage(0);
      const element = context.obj({ Type: 'StructElem', S: 'P', Pg: sheet.ref, K: 0 });
      element.set(PDFName.of('Alt'), PDFHexString.fromText('It says S-e-c-r-e-t'));
      element.set(PDFName.of('ActualText'), PDFString.of('Secret Name'));
      catalog.set(
        PDFName.of('StructTreeRoot'),
        context.register(context.obj({ Type: 'StructTreeRoot', K: context.register(element) })),
      );
      catalog.set(PDFName.of('Metadata'), context.register(context.stream('<x>Secret Name</x>', { Type: 'Metadata' })));
      const item = context.obj({ Dest: [sheet.ref, 'Fit'] });
      item.set(PDFName.of('Title'), PDFHexString.fromText('Secret Name'));
      const reference = context.register(item);
      catalog.set(
        PDFName.of('Outlines'),
        context.register(context.obj({ First: reference, Last: reference, Count: 1 })),
      );
      context.register(context.stream('(unreferenced Secret Name)'));
    });
    const withFile = await PDFDocument.load(bytes);
    await withFile.attach(Buffer.from('attached Secret Name'), 'secret name.txt');
    const first = await withFile.save({ useObjectStreams: false });
    const revision = Buffer.concat([first, Buffer.from('\n% Secret Name of another revision\n')]);
    const { texts, all, report } = await redacted(revision, redactText('Secret Name'));
    expect(texts).toEqual(['']);
    expect(all).not.toMatch(/secret|s-e-c-r-e-t/i);
    expect(report).toMatchObject({ pages: [1], notes: ['Attachments were removed'] });
  });

  it('is removed from annotations and from the values of form fields', async () => {
    const document = await PDFDocument.create();
    const sheet = document.addPage();
    const form = document.getForm();
    const field = form.createTextField('owner');
    field.setText('Secret Name');
    field.addToPage(sheet, { x: 50, y: 700, width: 300, height: 24 });
    const other = form.createTextField('city');
    other.setText('Rome');
    other.addToPage(sheet, { x: 50, y: 600, width: 300, height: 24 });
    const note = document.context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [10, 10, 20, 20] });
    note.set(PDFName.of('Contents'), PDFHexString.fromText('ask Secret Name'));
    sheet.node.addAnnot(document.context.register(note));
    const { all, file, report } = await redacted(
      await document.save({ useObjectStreams: false }),
      redactText('secret name'),
    );
    expect(all).not.toMatch(/secret/i);
    const after = (await PDFDocument.load(file)).getForm();
    expect([after.getTextField('owner').getText(), after.getTextField('city').getText()]).toEqual([undefined, 'Rome']);
    expect(report.pages).toEqual([1]);
  });

  it('keeps all other text at its position, for any word of a line', async () => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(words, { minLength: 2 }),
        fc.nat(5),
        fc.nat(),
        async (line, chosen, size) => {
          const word = line[chosen % line.length]!;
          const page = new TestPage()
            .text(60, 100, line.join(' '), { size: 8 + (size % 20) })
            .text(60, 300, 'untouched');
          const { texts, all } = await redacted(makePdf([page]), redactText(word));
          expect(texts[0]).toBe([...line.filter((each) => each !== word), 'untouched'].join(' '));
          expect(all).not.toContain(word);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('reports when nothing was found and which pages have no text', async () => {
    const { report } = await redacted(
      makePdf([new TestPage().text(60, 100, 'words'), new TestPage()]),
      redactText('absent'),
    );
    expect(report).toEqual({
      type: 'redact',
      changes: 0,
      pages: [],
      notes: ['No text to search (blank or scanned): pages 2'],
    });
  });
});

describe('redacted boxes', () => {
  const box = (x0: number, y0: number, x1: number, y1: number): object => ({
    type: 'redact',
    boxes: [{ page: 1, bbox: [x0 / 595, y0 / 842, x1 / 595, y1 / 842] }],
  });

  it('remove the text and the drawings inside them, also on rotated pages', async () => {
    const page = new TestPage()
      .text(60, 100, 'inside')
      .text(60, 200, 'outside')
      .rule(62, 95, 80, 95)
      .rule(50, 150, 400, 150);
    const { texts, all } = await redacted(makePdf([page]), box(50, 80, 150, 110));
    expect(texts).toEqual(['outside']);
    expect(all).not.toContain('62 747 m');
    expect(all).toContain('50 692 m');
    const turned = await editBytes(makePdf([page]), 'pdf', [
      { type: 'rotatePages', degrees: 90 },
      { type: 'redact', boxes: [{ page: 1, bbox: [1 - 110 / 842, 50 / 595, 1 - 80 / 842, 150 / 595] }] },
    ]);
    expect(await pageTexts(turned.files[0]!)).toEqual(['outside']);
  });

  it('black out the pixels of images', async () => {
    const white = sharp({ create: { width: 595, height: 842, channels: 3, background: '#ffffff' } });
    const page = new TestPage().scan(await white.jpeg().toBuffer(), { width: 595, height: 842 });
    const { file } = await redacted(makePdf([page]), box(100, 100, 200, 150));
    const image = (await PDFDocument.load(file)).context
      .enumerateIndirectObjects()
      .map(([, object]) => object)
      .find((object) => object.toString().includes('/Subtype /Image'))! as unknown as { contents: Uint8Array };
    const { data, info } = await sharp(image.contents).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number => data[(y * info.width + x) * info.channels]!;
    expect([at(150, 125) < 20, at(50, 125) > 235, at(150, 200) > 235]).toEqual([true, true, true]);
  });

  it('turn a page into an image when its pixels cannot be edited', async () => {
    const bytes = await rawPage('q 600 0 0 800 0 0 cm /Im Do Q BT /F1 12 Tf 50 700 Td (text) Tj ET', (document) => {
      const { context } = document;
      const image = context.stream(Buffer.alloc(40), {
        Type: 'XObject',
        Subtype: 'Image',
        Width: 8,
        Height: 8,
        BitsPerComponent: 1,
        ColorSpace: 'DeviceGray',
        Filter: 'JBIG2Decode',
      });
      document
        .getPage(0)
        .node.Resources()!
        .set(PDFName.of('XObject'), context.obj({ Im: context.register(image) }));
    });
    const { texts, report } = await redacted(bytes, { type: 'redact', boxes: [{ page: 1, bbox: [0, 0.5, 0.5, 0.6] }] });
    expect(texts).toEqual(['']);
    expect(report).toEqual({
      type: 'redact',
      changes: 1,
      pages: [1],
      notes: ['Converted to images, because their content could not be edited: pages 1'],
    });
  });
});
