// large: renders edited files
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { editBytes } from '../testing/edit-bytes.ts';
import { drawFirstPage, everything, pageTexts } from '../testing/pdf-text.ts';

const page = (text: string): TestPage => new TestPage().text(60, 100, text);
const five = (): Buffer => makePdf(['one', 'two', 'three', 'four', 'five'].map(page));

async function textsAfter(...operations: object[]): Promise<string[]> {
  return pageTexts((await editBytes(five(), 'pdf', operations)).files[0]!);
}

describe('pages', () => {
  it('keeps, removes, moves and reorders pages', async () => {
    expect(await textsAfter({ type: 'keepPages', pages: '2-3,-1' })).toEqual(['two', 'three', 'five']);
    expect(await textsAfter({ type: 'removePages', pages: '1,4-' })).toEqual(['two', 'three']);
    expect(await textsAfter({ type: 'movePages', pages: '4-5', before: 2 })).toEqual([
      'one',
      'four',
      'five',
      'two',
      'three',
    ]);
    expect(await textsAfter({ type: 'movePages', pages: '1' })).toEqual(['two', 'three', 'four', 'five', 'one']);
    expect(await textsAfter({ type: 'reorderPages', order: [5, 4, 3, 2, 1] })).toEqual([
      'five',
      'four',
      'three',
      'two',
      'one',
    ]);
    await expect(textsAfter({ type: 'removePages', pages: '7' })).rejects.toThrow(
      'There is no page 7: the document has 5',
    );
    await expect(textsAfter({ type: 'reorderPages', order: [1, 1, 2, 3, 4] })).rejects.toMatchObject({
      type: 'unsupported',
    });
  });

  it('leaves neither content of removed pages nor bookmarks to them in the file', async () => {
    const bytes = makePdf([page('public'), page('secret')], {
      outline: [
        ['First', 0],
        ['Second', 1],
      ],
    });
    const { files } = await editBytes(bytes, 'pdf', [{ type: 'removePages', pages: '2' }]);
    const all = await everything(files[0]!);
    expect([all.includes('public'), all.includes('secret'), all.includes('First'), all.includes('Second')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('adds a rotation to the existing one', async () => {
    const { files, operations } = await editBytes(five(), 'pdf', [
      { type: 'rotatePages', degrees: 90 },
      { type: 'rotatePages', pages: '2', degrees: -90 },
    ]);
    const pages = (await PDFDocument.load(files[0]!)).getPages();
    expect(pages.map((each) => each.getRotation().angle)).toEqual([90, 0, 90, 90, 90]);
    expect(operations.map((each) => each.pages)).toEqual([[1, 2, 3, 4, 5], [2]]);
  });

  it('splits by ranges and by number of pages, as the last operation only', async () => {
    const byNumber = await editBytes(five(), 'pdf', [{ type: 'splitPages', every: 2 }]);
    expect(await Promise.all(byNumber.files.map(pageTexts))).toEqual([['one', 'two'], ['three', 'four'], ['five']]);
    expect(byNumber.names).toEqual(['file-edited-1.pdf', 'file-edited-2.pdf', 'file-edited-3.pdf']);
    const byRange = await editBytes(five(), 'pdf', [{ type: 'splitPages', ranges: ['5,1', '2-3'] }]);
    expect(await Promise.all(byRange.files.map(pageTexts))).toEqual([
      ['five', 'one'],
      ['two', 'three'],
    ]);
    await expect(textsAfter({ type: 'splitPages', every: 1 }, { type: 'keepPages', pages: '1' })).rejects.toThrow(
      'last operation',
    );
  });
});

describe('stamps', () => {
  it('writes page numbers and other scripts at the requested position, also on rotated pages', async () => {
    const { files } = await editBytes(five(), 'pdf', [
      { type: 'rotatePages', pages: '2', degrees: 90 },
      { type: 'stampText', text: 'Seite {page} / {pages}', position: 'topRight', pages: '1-2' },
      {
        type: 'stampText',
        text: 'ЧЕРНОВИК',
        pages: '3',
        size: 60,
        rotation: 45,
        opacity: 0.3,
        colour: '#cc0000',
        position: 'centre',
      },
    ]);
    expect(await pageTexts(files[0]!)).toEqual([
      expect.stringContaining('Seite 1 / 5'),
      expect.stringContaining('Seite 2 / 5'),
      expect.stringContaining('ЧЕРНОВИК'),
      'four',
      'five',
    ]);
    await expect(editBytes(five(), 'pdf', [{ type: 'stampText', text: '機密' }])).rejects.toMatchObject({
      type: 'unsupported',
      message: 'No font has the character 機',
    });
  });

  it('displays every letter that it writes', async () => {
    const stamp = { type: 'stampText', text: 'Ж у к ы', size: 80, position: 'centre' };
    const { files } = await editBytes(makePdf([new TestPage()]), 'pdf', [stamp]);
    const { data, info } = await drawFirstPage(files[0]!);
    const inked = Array.from({ length: info.width }, (_, x) =>
      Array.from({ length: info.height }, (_, y) => data[(y * info.width + x) * info.channels]!).some((at) => at < 128),
    );
    // The last letter consists of two strokes with a gap between them.
    expect(inked.filter((isInked, x) => isInked && inked[x - 1] !== true)).toHaveLength(5);
  });
});

async function formPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const sheet = document.addPage();
  const form = document.getForm();
  form.createTextField('person.name').addToPage(sheet, { x: 50, y: 700, width: 300, height: 24 });
  form.createCheckBox('agreed').addToPage(sheet, { x: 50, y: 650, width: 20, height: 20 });
  const radio = form.createRadioGroup('size');
  radio.addOptionToPage('small', sheet, { x: 50, y: 600 });
  radio.addOptionToPage('large', sheet, { x: 150, y: 600 });
  const choice = form.createDropdown('city');
  choice.addOptions(['Rome', 'Bonn']);
  choice.addToPage(sheet, { x: 50, y: 550, width: 100, height: 24 });
  return document.save();
}

describe('forms', () => {
  it('fills every kind of field and reports values that do not fit', async () => {
    const { files, operations } = await editBytes(await formPdf(), 'pdf', [
      {
        type: 'fillForm',
        fields: { 'person.name': 'Ада Lovelace', agreed: true, size: 'large', city: 'Bonn', other: 'x' },
      },
      { type: 'fillForm', fields: { city: 'Oslo', agreed: 'yes' } },
    ]);
    expect(operations).toEqual([
      {
        type: 'fillForm',
        changes: 4,
        notes: ['other: there is no such field', 'The fields are: person.name, agreed, size, city'],
      },
      {
        type: 'fillForm',
        changes: 0,
        notes: ['city: Oslo is not one of: Rome, Bonn', 'agreed: the value must be true or false'],
      },
    ]);
    const form = (await PDFDocument.load(files[0]!)).getForm();
    expect(form.getTextField('person.name').getText()).toBe('Ада Lovelace');
    expect([
      form.getCheckBox('agreed').isChecked(),
      form.getRadioGroup('size').getSelected(),
      form.getDropdown('city').getSelected(),
    ]).toEqual([true, 'large', ['Bonn']]);
  });

  it('turns fields into page content', async () => {
    const { files } = await editBytes(await formPdf(), 'pdf', [
      { type: 'fillForm', fields: { 'person.name': 'Ada Lovelace' }, flatten: true },
    ]);
    expect((await pageTexts(files[0]!))[0]).toContain('Ada Lovelace');
    expect((await PDFDocument.load(files[0]!)).getForm().getFields()).toEqual([]);
  });

  it('rejects a file that is not a PDF and a PDF with a password', async () => {
    await expect(editBytes('nothing', 'pdf', [{ type: 'keepPages', pages: '1' }])).rejects.toMatchObject({
      type: 'corrupt',
    });
    const locked = makePdf([page('x')], { encrypted: true });
    await expect(editBytes(locked, 'pdf', [{ type: 'keepPages', pages: '1' }])).rejects.toMatchObject({
      type: 'encrypted',
    });
  });
});
