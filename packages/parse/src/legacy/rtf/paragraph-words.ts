import { PLAIN_PARAGRAPH } from './paragraph-flow.ts';
import type { ParagraphState } from './paragraph-flow.ts';
import type { RtfStyle } from './style-sheet.ts';

/** Returns the paragraph's state after a control word; undefined for words that do not concern paragraphs. */
export function changedParagraph(
  paragraph: ParagraphState,
  name: string,
  value: number | undefined,
  styles: ReadonlyMap<number, RtfStyle>,
): ParagraphState | undefined {
  switch (name) {
    case 'pard':
      return PLAIN_PARAGRAPH;
    case 's':
      return { ...paragraph, ...styles.get(value ?? 0) };
    case 'outlinelevel':
      return (value ?? 9) < 9 ? { ...paragraph, kind: 'heading', level: (value ?? 0) + 1 } : paragraph;
    case 'intbl':
      return { ...paragraph, tableDepth: Math.max(1, paragraph.tableDepth) };
    case 'itap':
      return { ...paragraph, tableDepth: Math.max(0, value ?? 1) };
    case 'ls':
      return { ...paragraph, inList: value !== 0 };
    case 'ilvl':
      return { ...paragraph, listLevel: Math.min(8, Math.max(0, value ?? 0)) };
    default:
      return undefined;
  }
}
