import type { OfficePackage } from '../../office/package/office-package.ts';
import { RichTextReader, type RichText } from './rich-text.ts';

/** Returns the texts of the workbook by index. */
export function readSharedStrings(officePackage: OfficePackage, partName: string | undefined): RichText[] {
  const strings: RichText[] = [];
  if (partName === undefined) return strings;
  const reader = new RichTextReader();
  officePackage.parse(partName, {
    open(name, attributes) {
      if (name === 'si') reader.start();
      else reader.open(name, attributes);
      return false;
    },
    text: (text) => reader.text(text),
    close(name) {
      if (name === 'si') strings.push(reader.finish());
      else reader.close(name);
    },
  });
  return strings;
}
