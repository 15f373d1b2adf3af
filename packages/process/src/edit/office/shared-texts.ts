/** Reads the shared strings of a workbook by index. */
import { scanXml } from '../replace/scan-xml.ts';
import { readTexts } from './package-texts.ts';
import type { SharedText } from './repeat-sheet-rows.ts';

export function readSharedTexts(source: string): SharedText[] {
  const texts: SharedText[] = [];
  let start = 0;
  scanXml(source, {
    open: (name, span) => {
      if (name === 'si') start = span.end;
    },
    close: (name, span) => {
      if (name === 'si') texts.push({ start, end: Math.max(start, span.start), splitText: { pieces: [] } });
    },
  });
  let index = 0;
  for (const splitText of readTexts(source).texts) {
    const at = splitText.pieces[0]?.start ?? 0;
    while (index < texts.length && (texts[index]?.end ?? 0) < at) index += 1;
    const text = texts[index];
    if (text !== undefined) text.splitText = splitText;
  }
  return texts;
}
