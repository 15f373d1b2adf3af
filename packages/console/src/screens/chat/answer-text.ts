/**
 * Writes citations and unsupported sentences into the Markdown of an answer, as links that the view turns into chips:
 * `[1](#source-1)` and `[?](#unsupported)`.
 */
import type { Message } from '@quire/client';

export const SOURCE = '#source-';
export const UNSUPPORTED = '#unsupported';

type Marked = Pick<Message, 'citations' | 'support'>;

/**
 * Returns the text of a part with its marks. Marks such as `[1]` that the text has already become links; a citation
 * without one gets it at the end of its span. The sentences of an answer without any citation are not marked, because
 * the view marks the whole answer. Offsets are UTF-16 code units of the part.
 */
export function markedText(text: string, part: number, { citations, support }: Marked): string {
  const marks: { at: number; mark: string; length?: number }[] = [];
  for (const { index, spans } of citations) {
    const written = [...text.matchAll(new RegExp(String.raw`\[${index}\](?!\()`, 'g'))];
    const mark = `[${index}](${SOURCE}${index})`;
    for (const found of written) marks.push({ at: found.index, mark, length: found[0].length });
    if (written.length > 0) continue;
    for (const span of spans) if (span.part === part) marks.push({ at: span.end, mark });
  }
  for (const sentence of support)
    if (citations.length > 0 && sentence.part === part && !sentence.supported)
      marks.push({ at: trimmedEnd(text, sentence.end), mark: `[?](${UNSUPPORTED})` });
  // From the end, so that earlier offsets stay valid. Marks of one place keep their order.
  const ordered = marks.map((mark, order) => ({ ...mark, order })).toSorted((a, b) => b.at - a.at || b.order - a.order);
  return ordered.reduce(
    (marked, { at, mark, length = 0 }) => marked.slice(0, at) + mark + marked.slice(at + length),
    text,
  );
}

function trimmedEnd(text: string, end: number): number {
  const before = text.slice(0, end);
  return before.trimEnd().length;
}

/** Returns the last complete sentence, for assistive technology. */
export const lastSentence = (text: string): string => {
  const ends = Array.from(text.matchAll(/[.!?。！？](?:\s|$)/gu), ({ index }) => index + 1);
  return text.slice(ends.at(-2) ?? 0, ends.at(-1) ?? 0).trim();
};
