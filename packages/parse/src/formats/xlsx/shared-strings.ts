import type { OfficePackage } from '../../office/package/office-package.ts';

/** Returns the texts of the workbook by index, without phonetic guides. */
export function readSharedStrings(officePackage: OfficePackage, partName: string | undefined): string[] {
  const strings: string[] = [];
  if (partName === undefined) return strings;
  let current = '';
  let inText = false;
  let inPhonetic = false;
  officePackage.parse(partName, {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 't') inText = !inPhonetic;
      return false;
    },
    text(text) {
      if (inText) current += text;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') inPhonetic = false;
      else if (name === 'si') strings.push(decodeEscapes(current));
    },
  });
  return strings;
}

/** Decodes `_x000D_` and similar sequences, the notation for characters that XML cannot hold. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
