import type { MarkKind, TextLink, TextMark } from '@quire/blocks/block';
import { shifted, type TextRange } from '../../structure/shifted.ts';

export interface BuiltText {
  text: string;
  links: TextLink[];
  marks: TextMark[];
}

/** Collects a block's text, hyperlinks and marks; `finish` trims the ends and adjusts the ranges. */
export class TextBuilder {
  #text = '';
  #links: TextLink[] = [];
  readonly #marks: TextMark[] = [];
  #open: { start: number; href: string }[] = [];

  get length(): number {
    return this.#text.length;
  }

  get text(): string {
    return this.#text;
  }

  append(text: string): void {
    this.#text += text;
  }

  /** Appends an inline formula with spaces around it. */
  appendFormula(latex: string): void {
    const spaced = this.#text === '' || /\s$/.test(this.#text);
    this.#text += `${spaced ? '' : ' '}$${latex}$ `;
  }

  /** Starts a link. An empty address creates no link but still requires `closeLink`. */
  openLink(href: string): void {
    this.#open.push({ start: this.#text.length, href });
  }

  closeLink(): void {
    const link = this.#open.pop();
    if (link && link.href !== '' && this.#text.length > link.start) {
      this.#links.push({ start: link.start, end: this.#text.length, href: link.href });
    }
  }

  /** Marks the text since `start`. */
  mark(start: number, kinds: readonly MarkKind[]): void {
    const end = this.#text.length;
    if (end > start) for (const kind of kinds) this.#marks.push({ start, end, kind });
  }

  finish(): BuiltText {
    while (this.#open.length > 0) this.closeLink();
    const text = this.#text.trim();
    const lead = this.#text.length - this.#text.trimStart().length;
    const trimmed = <Range extends TextRange>(ranges: readonly Range[]): Range[] =>
      ranges
        .map((range) => ({
          ...range,
          start: Math.max(0, range.start - lead),
          end: Math.min(text.length, range.end - lead),
        }))
        .filter((range) => range.end > range.start);
    return { text, links: trimmed(this.#links), marks: trimmed(this.#marks) };
  }
}

/** Returns links and marks, shifted by `offset`, for spreading into a block; without any, an empty object. */
export function rangesOf(
  { links, marks }: { links?: readonly TextLink[] | undefined; marks?: readonly TextMark[] | undefined },
  offset = 0,
): { links?: TextLink[]; marks?: TextMark[] } {
  return {
    ...(links === undefined || links.length === 0 ? {} : { links: shifted(links, offset) }),
    ...(marks === undefined || marks.length === 0 ? {} : { marks: shifted(marks, offset) }),
  };
}

/** Returns `content` behind a lead such as the label of a list item. */
export const withLead = (lead: string, { text, links, marks }: BuiltText): BuiltText => ({
  text: lead + text,
  links: shifted(links, lead.length),
  marks: shifted(marks, lead.length),
});
