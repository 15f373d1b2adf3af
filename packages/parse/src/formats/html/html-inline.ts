import type { TextLink } from '@quire/blocks/block';

/** HTML's own white space: no-break spaces are text. */
const COLLAPSIBLE = /[ \t\n\r\f]+/g;

/** Text of one line box sequence, with white space collapsed across elements as browsers do, and the links in it. */
export class InlineText {
  text = '';
  links: TextLink[] = [];
  /** An input control contributed to the text. */
  hasField = false;
  /** Alternative texts of the pictures in it; words around them make it a paragraph. */
  onlyPictures = true;
  private pendingSpace = false;

  get isEmpty(): boolean {
    return this.text === '';
  }

  add(text: string): void {
    const collapsed = text.replaceAll('\u00ad', '').replace(COLLAPSIBLE, ' ');
    const begins = collapsed.startsWith(' ');
    const words = collapsed.slice(begins ? 1 : 0, collapsed.length > 1 && collapsed.endsWith(' ') ? -1 : undefined);
    if (begins) this.pendingSpace = true;
    if (words === '') return;
    this.append(words);
    this.onlyPictures = false;
    this.pendingSpace = collapsed.endsWith(' ');
  }

  addPicture(alternative: string): void {
    // Two pictures side by side are two texts.
    if (this.onlyPictures) this.pendingSpace = true;
    this.append(alternative.replace(COLLAPSIBLE, ' ').trim());
  }

  /** A word of its own, as controls stand beside their label. */
  addWord(word: string): void {
    this.pendingSpace = true;
    this.add(word);
    this.pendingSpace = true;
  }

  lineBreak(): void {
    if (!this.isEmpty) this.text += '\n';
    this.pendingSpace = false;
  }

  /** Where a link that begins now starts. */
  get position(): number {
    return this.text.length + (this.pendingSpace && !this.isEmpty ? 1 : 0);
  }

  addLink(start: number, href: string): void {
    if (this.text.length > start) this.links.push({ start, end: this.text.length, href });
  }

  private append(words: string): void {
    if (words === '') return;
    if (this.pendingSpace && !this.isEmpty && !this.text.endsWith('\n')) this.text += ' ';
    this.pendingSpace = false;
    this.text += words;
  }
}
