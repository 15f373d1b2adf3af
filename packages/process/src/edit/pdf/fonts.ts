/** Fonts for text that an edit writes: Helvetica where it has the characters, otherwise the bundled Noto Sans. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StandardFonts, type PDFDocument, type PDFFont } from '@cantoo/pdf-lib';
import fontkit from '@pdf-lib/fontkit';
import { ContentError } from '@quire/blocks/content-error';

export class EditFonts {
  readonly #document: PDFDocument;
  #latin: PDFFont | undefined;
  #noto: PDFFont | undefined;

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  /**
   * Returns a font that has every character of the text. Throws `unsupported` with the first character that no font
   * has.
   */
  async fontFor(text: string): Promise<PDFFont> {
    this.#latin ??= this.#document.embedStandardFont(StandardFonts.Helvetica);
    if (missingCharacter(this.#latin, text) === undefined) return this.#latin;
    if (this.#noto === undefined) {
      this.#document.registerFontkit(fontkit);
      // Embedded whole, which adds 0.3 MB: viewers omit letters of the subsets that fontkit 1 makes.
      this.#noto = await this.#document.embedFont(await readNoto(), { subset: false });
    }
    const character = missingCharacter(this.#noto, text);
    if (character === undefined) return this.#noto;
    throw new ContentError('unsupported', `No font has the character ${character}`);
  }
}

function readNoto(): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  return readFile(require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'));
}

function missingCharacter(font: PDFFont, text: string): string | undefined {
  const known = new Set(font.getCharacterSet());
  return Array.from(text).find((character) => character !== '\n' && !known.has(character.codePointAt(0) ?? 0));
}
