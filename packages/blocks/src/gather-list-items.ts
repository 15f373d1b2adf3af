import type { BlockDraft } from './block.ts';

/**
 * Gathers each run of loose `listItem`s into a `list`, nested by `level`, for formats without lists (Word, PDF). An
 * item's `ordered` and `start` move to the list that it opens.
 */
export function gatherListItems(blocks: readonly BlockDraft[]): BlockDraft[] {
  const gathered: BlockDraft[] = [];
  let run: BlockDraft[] = [];
  const close = (): void => {
    for (const list of listsOf(run)) gathered.push(list);
    run = [];
  };
  for (const block of blocks) {
    if (block.type === 'listItem') {
      run.push(block);
    } else {
      close();
      gathered.push(block);
    }
  }
  close();
  return gathered;
}

interface OpenList {
  level: number;
  ordered: boolean;
  items: BlockDraft[];
}

function listsOf(items: readonly BlockDraft[]): BlockDraft[] {
  const lists: BlockDraft[] = [];
  const open: OpenList[] = [];
  for (const item of items) {
    const level = item.level ?? 1;
    const ordered = item.ordered ?? false;
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    const last = open.at(-1);
    if (last?.level === level && (last.ordered !== ordered || item.start !== undefined)) open.pop();
    const target = open.at(-1);
    if (target?.level === level) {
      target.items.push(itemOf(item));
    } else {
      const { list, items: children } = newList(item, ordered);
      const parent = target?.items.at(-1);
      if (parent === undefined) lists.push(list);
      else (parent.children ??= []).push(list);
      open.push({ level, ordered, items: children });
    }
  }
  return lists;
}

function newList(first: BlockDraft, ordered: boolean): { list: BlockDraft; items: BlockDraft[] } {
  const items = [itemOf(first)];
  const list: BlockDraft = { type: 'list', ordered, children: items };
  if (first.page !== undefined) list.page = first.page;
  if (first.start !== undefined) list.start = first.start;
  return { list, items };
}

function itemOf(item: BlockDraft): BlockDraft {
  const { ordered: _ordered, start: _start, ...rest } = item;
  return item.children === undefined ? rest : { ...rest, children: [...item.children] };
}
