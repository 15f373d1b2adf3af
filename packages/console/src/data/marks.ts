/** Boxes in an address: `3:0.1,0.2,0.5,0.22;4:…`, each with its page. Links to quotes and hits carry them. */
import type { PageBox } from '@quire/client';

const MAX_BOXES = 40;

export const writeMarks = (boxes: readonly PageBox[]): string | undefined =>
  boxes
    .slice(0, MAX_BOXES)
    .map(({ page, bbox }) => `${page}:${bbox.map((value) => Number(value.toFixed(4))).join(',')}`)
    .join(';') || undefined;

/** Leaves out what is no box. */
export function readMarks(text: string | undefined): PageBox[] {
  const boxes: PageBox[] = [];
  for (const each of (text ?? '').split(';')) {
    const [page = '', numbers = ''] = each.split(':');
    const bbox = numbers.split(',').map(Number);
    if (/^\d+$/.test(page) && bbox.length === 4 && bbox.every((value) => value >= 0 && value <= 1))
      boxes.push({ page: Number(page), bbox });
  }
  return boxes;
}
