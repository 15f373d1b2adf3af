/** Collects one flow of paragraphs (body, table cell, text box, note) as blocks, and joins lists and code lines. */
import type { BlockDraft } from '@quire/blocks/block';
import { ListBuilder } from './list-builder.ts';
import type { ListEntry } from './list-builder.ts';
import { rangesOf } from './text-builder.ts';
import type { BuiltText } from './text-builder.ts';

/** Maximum length of a heading in characters; longer paragraphs have an outline level by mistake. */
const MAX_HEADING_CHARACTERS = 400;

export class Story {
  readonly blocks: BlockDraft[] = [];
  #list: ListBuilder | undefined;
  #listStart = 0;
  #code: BlockDraft | undefined;

  /** Adds a heading, paragraph, quote, caption or footnote; nothing for empty text. */
  addText(type: 'heading' | 'paragraph' | 'quote' | 'caption' | 'footnote', content: BuiltText, level?: number): void {
    if (content.text === '') return;
    this.#endRun();
    if (type === 'heading' && content.text.length <= MAX_HEADING_CHARACTERS) {
      // Line breaks inside a heading are layout.
      const text = content.text.replaceAll(/\s*\n\s*/g, ' ');
      this.blocks.push({ type, level: level ?? 1, text, ...(text === content.text ? rangesOf(content) : {}) });
    } else {
      this.blocks.push({ type: type === 'heading' ? 'paragraph' : type, text: content.text, ...rangesOf(content) });
    }
  }

  addListEntry(entry: ListEntry): void {
    if (entry.content.text === '') return;
    this.#code = undefined;
    if (!this.#list) {
      this.#list = new ListBuilder();
      this.#listStart = this.blocks.length;
    }
    this.#list.add(entry);
    this.blocks.splice(this.#listStart, Infinity, ...this.#list.lists);
  }

  /** Adds a further paragraph to the last list entry. */
  continueListEntry(content: BuiltText): void {
    if (this.#list) this.#list.extend(content);
    else this.addText('paragraph', content);
  }

  /** Adds a line of code; consecutive lines form one block. */
  addCode(text: string): void {
    this.#list = undefined;
    if (this.#code) {
      this.#code.text += `\n${text}`;
    } else if (text !== '') {
      this.#code = { type: 'code', text };
      this.blocks.push(this.#code);
    }
  }

  addBlocks(blocks: readonly BlockDraft[]): void {
    if (blocks.length === 0) return;
    this.#endRun();
    this.blocks.push(...blocks);
  }

  #endRun(): void {
    this.#list = undefined;
    this.#code = undefined;
  }
}
