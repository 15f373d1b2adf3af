/** Parses Tesseract's TSV output, which the program and the WASM build share, to words. */
import type { OcrWord } from './ocr-engine.ts';

/** Fixed columns: level page block paragraph line word left top width height confidence text; level 5 is a word. */
const WORD_LEVEL = '5';
const COLUMNS = 12;

export function parseTesseractTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = [];
  const blocks = new Map<string, number>();
  const lines = new Map<string, number>();
  for (const row of tsv.split('\n')) {
    const fields = row.split('\t');
    if (fields[0] !== WORD_LEVEL || fields.length < COLUMNS) continue;
    const text = fields
      .slice(COLUMNS - 1)
      .join('\t')
      .trim();
    const [left, top, width, height, confidence] = fields.slice(6, 11).map(Number);
    if (text === '' || left === undefined || top === undefined || !width || !height) continue;
    const block = indexOf(blocks, `${fields[1]}.${fields[2]}`);
    const line = indexOf(lines, fields.slice(1, 5).join('.'));
    const bbox = [left, top, left + width, top + height] as const;
    words.push({ text, bbox, confidence: Math.min(1, Math.max(0, (confidence ?? 0) / 100)), block, line });
  }
  return words;
}

function indexOf(seen: Map<string, number>, key: string): number {
  const known = seen.get(key);
  if (known !== undefined) return known;
  seen.set(key, seen.size);
  return seen.size - 1;
}
