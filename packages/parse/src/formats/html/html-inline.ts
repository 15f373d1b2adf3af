import type { MarkKind, TextLink, TextMark } from '@quire/blocks/block';

/** White space that HTML collapses; no-break spaces are text. */
const COLLAPSIBLE = /[ \t\n\r\f]+/g;

/**
 * Collects text, links and marks of one sequence of inline elements, collapsing white space across elements as browsers
 * do.
 */
export class InlineText {
  text = '';
  links: TextLink[] = [];
  marks: TextMark[] = [];
  /** True if an input control contributed to the text. */
  hasField = false;
  /** True while the text consists of alternative texts of pictures only. */
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
    // The texts of adjacent pictures are separated.
    if (this.onlyPictures) this.pendingSpace = true;
    this.append(alternative.replace(COLLAPSIBLE, ' ').trim());
  }

  /** Adds text as a separate word, as form controls are shown next to their label. */
  addWord(word: string): void {
    this.pendingSpace = true;
    this.add(word);
    this.pendingSpace = true;
  }

  lineBreak(): void {
    if (!this.isEmpty) this.text += '\n';
    this.pendingSpace = false;
  }

  /** The start offset of a link that begins now. */
  get position(): number {
    return this.text.length + (this.pendingSpace && !this.isEmpty ? 1 : 0);
  }

  addLink(start: number, href: string): void {
    if (this.text.length > start) this.links.push({ start, end: this.text.length, href });
  }

  addMark(start: number, kind: MarkKind): void {
    if (this.text.length > start) this.marks.push({ start, end: this.text.length, kind });
  }

  private append(words: string): void {
    if (words === '') return;
    if (this.pendingSpace && !this.isEmpty && !this.text.endsWith('\n')) this.text += ' ';
    this.pendingSpace = false;
    this.text += words;
  }
}
