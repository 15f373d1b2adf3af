import type { MarkKind } from '@quire/blocks/block';

/** Marks by element name of HTML. */
export const MARK_TAGS: Readonly<Record<string, MarkKind>> = {
  del: 'struck',
  s: 'struck',
  strike: 'struck',
  ins: 'inserted',
  sup: 'raised',
  sub: 'lowered',
};
