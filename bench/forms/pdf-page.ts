/** Writes PDF files of plain text at given positions, in Helvetica. */

export interface PlacedText {
  text: string;
  /** Distance from the left edge and from the top edge, in points. */
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
}

const WIDTH = 595;
const HEIGHT = 842;
/** Characters of Windows-1252 that are elsewhere in Unicode. */
const WINDOWS_1252: Readonly<Record<string, number>> = {
  '€': 0x80,
  '„': 0x84,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '–': 0x96,
};
/** Mean width of a letter of Helvetica, as a share of the font size. */
const LETTER_WIDTH = 0.5;

/** Returns the approximate width of a text in points. */
export const widthOf = (text: string, size: number): number => text.length * size * LETTER_WIDTH;

/** Breaks a text into lines of at most `width` points. */
export function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(`${last} ${word}`, size) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Returns a PDF file with one page for each list of texts. */
export function pdfOf(pages: readonly (readonly PlacedText[])[]): Buffer {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
  ];
  for (const [at, texts] of pages.entries()) {
    const content = texts.map(operatorsOf).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${6 + 2 * at} 0 R ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function operatorsOf({ text, x, y, size = 10, bold = false }: PlacedText): string {
  const bytes = Array.from(text, (letter) => String.fromCodePoint(WINDOWS_1252[letter] ?? letter.codePointAt(0) ?? 32));
  const escaped = bytes.join('').replaceAll(/[\\()]/g, String.raw`\$&`);
  return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${x.toFixed(1)} ${(HEIGHT - y).toFixed(1)} Td (${escaped}) Tj ET`;
}
