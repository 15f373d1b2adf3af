/** A text with its highlights, cut to the part around the first of them. */
interface HighlightedProps {
  text: string;
  /** Ranges in UTF-16 code units. */
  ranges: readonly (readonly number[])[];
  /** Maximum number of characters that are shown. */
  length?: number;
}

export function Highlighted({ text, ranges, length = 420 }: HighlightedProps): React.ReactElement {
  const first = ranges[0]?.[0] ?? 0;
  const from = text.length <= length ? 0 : wordStart(text, Math.max(0, first - 90));
  const to = Math.min(text.length, from + length);
  const parts: React.ReactNode[] = [];
  let at = from;
  for (const [start = 0, end = 0] of ranges) {
    if (start < at || end > to) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  parts.push(text.slice(at, to));
  return (
    <>
      {from > 0 && '… '}
      {parts}
      {to < text.length && ' …'}
    </>
  );
}

const wordStart = (text: string, near: number): number => (near === 0 ? 0 : text.indexOf(' ', near) + 1 || near);
