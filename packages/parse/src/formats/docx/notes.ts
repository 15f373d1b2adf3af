/** Tracks references to footnotes, endnotes and comments in order, and provides their content. */
import type { XmlElement } from '../../office/xml/xml-element.ts';
import { attribute } from '../../office/xml/xml-element.ts';

export type NoteKind = 'footnote' | 'endnote';

export interface PendingNote {
  kind: NoteKind | 'comment';
  /** The text shown at the reference; for comments, their author. */
  mark: string;
  element: XmlElement;
}

export class Notes {
  readonly #elements = new Map<string, XmlElement>();
  readonly #counts = { footnote: 0, endnote: 0 };
  #pending: PendingNote[] = [];
  #comments: PendingNote[] = [];

  /** Registers the notes of a part: `w:footnote`, `w:endnote` and `w:comment` elements. */
  load(kind: NoteKind | 'comment', elements: readonly XmlElement[]): void {
    for (const element of elements) {
      // Separators are notes with a type; real notes have none.
      if ((attribute(element, 'w:type') ?? 'normal') !== 'normal') continue;
      this.#elements.set(`${kind}/${attribute(element, 'w:id') ?? ''}`, element);
    }
  }

  /** Records a reference and returns the mark shown in the text. */
  reference(kind: NoteKind, id: string): string | undefined {
    const element = this.#elements.get(`${kind}/${id}`);
    if (!element) return undefined;
    this.#counts[kind] += 1;
    const mark = kind === 'footnote' ? String(this.#counts[kind]) : `e${this.#counts[kind]}`;
    this.#pending.push({ kind, mark, element });
    return mark;
  }

  comment(id: string): void {
    const element = this.#elements.get(`comment/${id}`);
    if (element) this.#comments.push({ kind: 'comment', mark: attribute(element, 'w:author') ?? '', element });
  }

  /** Returns the notes referenced since the last call. */
  takePending(): PendingNote[] {
    return this.#pending.splice(0);
  }

  takeComments(): PendingNote[] {
    return this.#comments.splice(0);
  }
}
