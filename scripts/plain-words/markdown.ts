import { findIdioms, type Finding, type ProseLine } from './find.ts';
import { IDIOMS } from './idioms.ts';

/** Checks the prose of a Markdown file: paragraphs, list items, headings and cells, but no code. */
export function checkMarkdown(file: string, source: string): Finding[] {
  const blocks: ProseLine[][] = [[]];
  let isFenced = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = index + 1;
    if (/^\s*(?:```|~~~)/.test(raw)) isFenced = !isFenced;
    const isCode = isFenced || /^\s*(?:```|~~~)/.test(raw) || /^(?: {4}|\t)\S/.test(raw);
    const text = raw.trim();
    if (isCode || text === '' || text.startsWith('<!--')) {
      blocks.push([]);
    } else if (text.startsWith('|')) {
      for (const cell of text.split(/(?<!\\)\|/)) blocks.push([{ line, text: cell.trim() }]);
      blocks.push([]);
    } else {
      const marker = /^(?:[-*+] |\d+\. |#+ |> )+(?:\*\*[^*]+\*\*:? )?/.exec(text)?.[0] ?? '';
      if (marker) blocks.push([]);
      blocks.at(-1)?.push({ line, text: text.slice(marker.length) });
      if (marker.startsWith('#')) blocks.push([]);
    }
  }
  return blocks.filter((each) => each.length > 0).flatMap((each) => findIdioms(file, each, IDIOMS));
}
