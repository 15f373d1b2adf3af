import type { BlockDraft } from '@quire/blocks/block';
import type { BuiltText } from './text-builder.ts';
import { rangesOf, withLead } from './text-builder.ts';

export interface ListEntry {
  /** Level from 0 as in the format. Gaps between levels are closed. */
  level: number;
  ordered: boolean;
  /** The displayed number of an ordered list. */
  number?: number;
  content: BuiltText;
}

interface OpenList {
  level: number;
  list: BlockDraft;
}

/** Nests a run of list entries into `list` blocks: a deeper list is a child of the item before it. */
export class ListBuilder {
  /** The finished top-level lists, in order. */
  readonly lists: BlockDraft[] = [];
  #last: BlockDraft | undefined;
  readonly #open: OpenList[] = [];

  add(entry: ListEntry): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.level ?? 0) > entry.level) this.#open.pop();
    let current = this.#open.at(-1);
    if (current && current.level === entry.level && !continues(current.list, entry)) {
      this.#open.pop();
      current = undefined;
    }
    if (!current || current.level < entry.level) {
      current = this.#openList(entry);
    }
    const item: BlockDraft = {
      type: 'listItem',
      level: this.#open.length,
      text: entry.content.text,
      ...rangesOf(entry.content),
    };
    (current.list.children ??= []).push(item);
    this.#last = item;
  }

  /** Adds a line to the last entry. */
  extend(content: BuiltText): void {
    const item = this.#last;
    if (!item || content.text === '') return;
    const lead = `${item.text ?? ''}\n`;
    const { text, links, marks } = withLead(lead, content);
    item.text = text;
    if (links.length > 0) item.links = [...(item.links ?? []), ...links];
    if (marks.length > 0) item.marks = [...(item.marks ?? []), ...marks];
  }

  #openList(entry: ListEntry): OpenList {
    const list: BlockDraft = { type: 'list', ordered: entry.ordered, children: [] };
    if (entry.ordered && entry.number !== undefined && entry.number !== 1) list.start = entry.number;
    const parent = this.#open.at(-1)?.list.children?.at(-1);
    if (parent) (parent.children ??= []).push(list);
    else this.lists.push(list);
    const opened = { level: entry.level, list };
    this.#open.push(opened);
    return opened;
  }
}

/** Returns whether the entry continues the list: the same kind with the next number. */
function continues(list: BlockDraft, { ordered, number }: ListEntry): boolean {
  if (list.ordered !== ordered) return false;
  return !ordered || number === undefined || number === (list.start ?? 1) + (list.children?.length ?? 0);
}
