import type { TextLink } from '@quire/blocks/block';

export interface BuiltText {
  text: string;
  links: TextLink[];
}

/** Collects a block's text and hyperlinks; `finish` trims the ends and adjusts the links. */
export class TextBuilder {
  #text = '';
  #links: TextLink[] = [];
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

  finish(): BuiltText {
    while (this.#open.length > 0) this.closeLink();
    const text = this.#text.trim();
    const lead = this.#text.length - this.#text.trimStart().length;
    const links = this.#links
      .map((link) => ({
        start: Math.max(0, link.start - lead),
        end: Math.min(text.length, link.end - lead),
        href: link.href,
      }))
      .filter((link) => link.end > link.start);
    return { text, links };
  }
}

/** Returns `links`, shifted by `offset`, for spreading into a block; without links, an empty object. */
export function linksOf(built: BuiltText, offset = 0): { links?: TextLink[] } {
  if (built.links.length === 0) return {};
  return {
    links: built.links.map((link) => ({ ...link, start: link.start + offset, end: link.end + offset })),
  };
}
