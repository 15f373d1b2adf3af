/** Finds the text to redact on pages without text of their own, as scans: in the words that OCR reads. */
import type { BoundingBox } from '@quire/blocks/block';
import type { PdfDocument } from '@quire/parse/formats/pdf/document';
import type { PageContent, Word } from '@quire/parse/layout/page/page-content';
import type { ParseContext } from '@quire/parse/parser';
import type { RedactionFinder } from './redaction-finder.ts';

export interface RecognisedTargets {
  /** Boxes of whole words on the page as displayed. */
  boxes: BoundingBox[];
  matches: number;
  /** Whether OCR found words. */
  hasText: boolean;
}

/** Space around a word, as a share of its height: OCR boxes may be narrower than the ink. */
const PADDING = 0.15;
/** Difference of baselines, as a share of the size, from which the next word is on another line. */
const NEXT_LINE = 0.5;

export async function findRecognisedTargets(
  document: PdfDocument,
  index: number,
  finder: RedactionFinder,
  context: ParseContext,
): Promise<RecognisedTargets> {
  // Loaded on first use, since most files have text.
  const { recognisePage } = await import('@quire/parse/formats/pdf/page/recognise-page');
  const page = await recognisePage(document, index, context);
  if (page === undefined || page.words.length === 0) return { boxes: [], matches: 0, hasText: false };
  const { text, wordAt } = textOf(page.words);
  const ranges = finder.find(text);
  const words = new Set(ranges.flatMap(([start, end]) => wordAt.slice(start, end)));
  const boxes = [...words].flatMap((at) => {
    const word = at === undefined ? undefined : page.words[at];
    return word === undefined ? [] : [displayed(page, padded(word))];
  });
  return { boxes, matches: ranges.length, hasText: true };
}

/** Returns the text of words with the index of the word at each code unit; undefined for white space. */
function textOf(words: readonly Word[]): { text: string; wordAt: (number | undefined)[] } {
  let text = '';
  const wordAt: (number | undefined)[] = [];
  for (const [index, word] of words.entries()) {
    const last = words[index - 1];
    if (last !== undefined && !word.glued) {
      text += Math.abs(word.baseline - last.baseline) > NEXT_LINE * word.size ? '\n' : ' ';
      wordAt.push(undefined);
    }
    text += word.text;
    for (let unit = 0; unit < word.text.length; unit += 1) wordAt.push(index);
  }
  return { text, wordAt };
}

type Box = Pick<Word, 'x0' | 'y0' | 'x1' | 'y1'>;

function padded({ x0, y0, x1, y1 }: Word): Box {
  const space = PADDING * (y1 - y0);
  return { x0: x0 - space, y0: y0 - space, x1: x1 + space, y1: y1 + space };
}

function displayed(page: PageContent, box: Box): BoundingBox {
  const { width, height } = page;
  return page.displayBox?.(box) ?? [box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height];
}
