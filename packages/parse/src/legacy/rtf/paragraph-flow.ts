/**
 * Collects one flow of RTF paragraphs (body, note, text box): ends paragraphs, cells and rows, and has its own tables.
 */
import type { BlockDraft } from '@quire/blocks/block';
import { TITLE_LEVEL } from '../../office/build/document-title.ts';
import { EdgeTable } from '../../office/build/edge-table.ts';
import type { RowDefinition } from '../../office/build/edge-table.ts';
import { withLabel } from '../../office/build/list-labels.ts';
import { Story } from '../../office/build/story.ts';
import { TextBuilder } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';

export type StyleKind = 'body' | 'title' | 'heading' | 'quote' | 'caption' | 'code';

export interface ParagraphState {
  kind: StyleKind;
  /** Level of headings, 1 to 9. */
  level: number;
  /** Nesting of tables; 0 outside of tables. */
  tableDepth: number;
  inList: boolean;
  listLevel: number;
}

export const PLAIN_PARAGRAPH: ParagraphState = { kind: 'body', level: 0, tableDepth: 0, inList: false, listLevel: 0 };
const MAX_TABLE_DEPTH = 20;

export class ParagraphFlow {
  text = new TextBuilder();
  /** Label of a list entry as stored in the file. */
  label = '';
  readonly #stories: Story[] = [new Story()];
  readonly #tables: EdgeTable[] = [];

  endParagraph(state: ParagraphState): void {
    this.#enter(state.tableDepth);
    this.#write(state);
  }

  endCell(state: ParagraphState, depth: number): void {
    this.#enter(Math.max(depth, 1));
    this.#write(state);
    const blocks = this.#stories.pop()?.blocks ?? [];
    this.#stories.push(new Story());
    this.#tables.at(-1)?.addCell(blocks);
  }

  endRow(definition: RowDefinition | undefined, depth: number): void {
    this.#enter(Math.max(depth, 1));
    this.text = new TextBuilder();
    this.#tables.at(-1)?.endRow(definition);
  }

  finish(state: ParagraphState): BlockDraft[] {
    this.#enter(0);
    this.#write({ ...state, tableDepth: 0 });
    return this.#stories[0]?.blocks ?? [];
  }

  addBlocks(blocks: readonly BlockDraft[]): void {
    this.#story.addBlocks(blocks);
  }

  get #story(): Story {
    return this.#stories.at(-1) ?? new Story();
  }

  /** Opens and closes tables until their nesting equals `depth`. */
  #enter(depth: number): void {
    while (this.#tables.length > depth) {
      this.#stories.pop();
      this.#story.addBlocks(this.#tables.pop()?.finish() ?? []);
    }
    while (this.#tables.length < Math.min(depth, MAX_TABLE_DEPTH)) {
      this.#tables.push(new EdgeTable());
      this.#stories.push(new Story());
    }
  }

  #write(state: ParagraphState): void {
    const raw = this.text.text;
    const content = this.text.finish();
    const label = this.label.trim();
    this.text = new TextBuilder();
    this.label = '';
    if (state.kind === 'code') {
      this.#story.addCode(raw.trimEnd());
    } else if (content.text === '') {
      return;
    } else if (state.kind === 'title' || state.kind === 'heading') {
      const level = state.kind === 'title' ? TITLE_LEVEL : state.level;
      this.#story.addText('heading', withLabel(content, label), level);
    } else if (label !== '' || state.inList) {
      this.#listEntry(content, label, state.listLevel);
    } else {
      this.#story.addText(state.kind === 'body' ? 'paragraph' : state.kind, content);
    }
  }

  #listEntry(content: BuiltText, label: string, level: number): void {
    const number = /^(\d{1,9})[.)]?$/.exec(label)?.[1];
    if (number !== undefined) this.#story.addListEntry({ level, ordered: true, number: Number(number), content });
    // A label without a letter or digit is a bullet.
    else if (!/[\p{L}\p{N}]/u.test(label) || label.length === 1)
      this.#story.addListEntry({ level, ordered: false, content });
    else this.#story.addListEntry({ level, ordered: false, content: withLabel(content, label) });
  }
}
