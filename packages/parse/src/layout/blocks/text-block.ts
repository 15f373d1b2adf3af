/** Builds the text of blocks, with links and line map. */
import type { BlockDraft } from '@quire/blocks/block';
import { shiftLines, sliceLines } from '@quire/blocks/text-lines';
import { withInlineFormulas } from '../formulas/inline-formulas.ts';
import { holdsCentre, width } from '../geometry.ts';
import { joinText, runningText, type Vocabulary, type WordSpan } from '../lines/join-lines.ts';
import { brokenLineSpans, lineMap, type LineSpan } from '../lines/line-map.ts';
import { textOf, type Line } from '../lines/line.ts';
import { listMarker, type ListMarker } from '../lines/list-marker.ts';
import { linksOf } from '../lines/word-links.ts';
import { median } from '../statistics.ts';
import type { PageContent, Word } from '../page/page-content.ts';
import type { FigureElement, TextElement } from '../page/page-layout.ts';

type TextContent = Pick<BlockDraft, 'links' | 'lines'> & { text: string };

export function textBlock(element: TextElement, page: PageContent, vocabulary: Vocabulary, level: number): BlockDraft {
  const { lines } = element.group;
  if (element.kind === 'code') return { type: 'code', ...codeContent(lines, page) };
  const words: WordSpan[] | undefined = page.links.length > 0 ? [] : undefined;
  const spans: LineSpan[] = [];
  const read = element.kind === 'heading' ? lines : lines.map(withInlineFormulas);
  const text = runningText(read, vocabulary, { words, lines: spans });
  const content = { text, ...(words === undefined ? {} : linksOf(words, page.links)), ...lineMap(spans, page) };
  if (element.kind === 'heading') return { type: 'heading', level, ...content };
  if (element.kind === 'entry') return { type: 'listItem', level: 1, ...content };
  if (element.kind !== 'listItem') return { type: element.kind, ...content };
  const marker = listMarker(text);
  if (marker === undefined) return { type: 'paragraph', ...content };
  return {
    type: 'listItem',
    level: 1,
    ordered: marker.ordered,
    ...(marker.ordered ? { start: marker.number } : {}),
    ...withoutMarker(content, marker),
  };
}

function withoutMarker({ text, links, lines }: TextContent, { length }: ListMarker): TextContent {
  const moved = links?.map((link) => ({
    ...link,
    start: Math.max(0, link.start - length),
    end: link.end - length,
  }));
  return {
    text: text.slice(length),
    ...(moved === undefined ? {} : { links: moved.filter((link) => link.end > link.start) }),
    ...(lines === undefined ? {} : { lines: sliceLines(lines, length, text.length) }),
  };
}

/** Keeps the line breaks and converts indentation and gaps to spaces. */
function codeContent(lines: readonly Line[], page: PageContent): TextContent {
  const left = Math.min(...lines.map((line) => line.x0));
  const unit = characterWidth(lines);
  const texts = lines.map(
    (line) => ' '.repeat(Math.max(0, Math.round((line.x0 - left) / unit))) + alignedText(line.words, unit),
  );
  return { text: texts.join('\n'), ...lineMap(brokenLineSpans(lines, texts), page) };
}

function alignedText(words: readonly Word[], unit: number): string {
  let text = '';
  let end = 0;
  for (const word of words) {
    if (text !== '' && !word.glued) text += ' '.repeat(Math.max(1, Math.round((word.x0 - end) / unit)));
    text += word.text;
    end = word.x1;
  }
  return text;
}

/** Minimum length, in characters, of a word that is measured. */
const MEASURED_LENGTH = 3;
/** Width of a character, as a share of the font size, where there is no such word. */
const USUAL_WIDTH = 0.6;

/** Returns the usual width of a character of monospace lines, in points. */
function characterWidth(lines: readonly Line[]): number {
  const measured = lines.flatMap(({ words }) =>
    words.filter(({ text }) => text.length >= MEASURED_LENGTH).map((word) => width(word) / word.text.length),
  );
  return median(measured) || USUAL_WIDTH * (lines[0]?.size ?? 1);
}

/** Appends the continuation `block` to the `open` block. */
export function appendText(open: BlockDraft, block: BlockDraft, vocabulary: Vocabulary): void {
  const text = joinText(open.text ?? '', block.text ?? '', vocabulary);
  const shift = text.length - (block.text ?? '').length;
  const links = (block.links ?? []).map((link) => ({ ...link, start: link.start + shift, end: link.end + shift }));
  open.text = text;
  if (links.length > 0) open.links = [...(open.links ?? []), ...links];
  // The open block may have lost the hyphen at its end.
  open.lines = [...sliceLines(open.lines ?? [], 0, shift), ...shiftLines(block.lines ?? [], shift)];
}

/** Returns the alternative texts of the figure's pictures, followed by the text on it. */
export function figureText(figure: FigureElement, page: PageContent): Partial<TextContent> {
  const alternatives = page.images.flatMap((image) =>
    image.alternative !== undefined && holdsCentre(figure, image) ? [image.alternative] : [],
  );
  const labels = figure.labels.map((line) => textOf(line.words));
  const first = [...new Set(alternatives)];
  const text = [...first, ...labels].join('\n');
  const start = first.reduce((sum, alternative) => sum + alternative.length + 1, 0);
  return text === '' ? {} : { text, ...lineMap(brokenLineSpans(figure.labels, labels, start), page) };
}
