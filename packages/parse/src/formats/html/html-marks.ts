import type { MarkKind } from '@quire/blocks/block';
import { MARK_TAGS } from '../../structure/mark-tags.ts';
import { attribute, type HtmlElement } from './html-attributes.ts';

const STRUCK = /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bline-through\b/i;
const RAISED = /(?:^|;)\s*vertical-align\s*:\s*(super|sub)\b/i;

/** Returns the marks that the element's name or own style gives to its text. */
export function marksOf(element: HtmlElement): MarkKind[] {
  const kinds = new Set<MarkKind>();
  const named = MARK_TAGS[element.tagName];
  if (named !== undefined) kinds.add(named);
  const style = element.attrs.length === 0 ? undefined : attribute(element, 'style');
  if (style !== undefined && STRUCK.test(style)) kinds.add('struck');
  const shift = style === undefined ? undefined : RAISED.exec(style)?.[1]?.toLowerCase();
  if (shift !== undefined) kinds.add(shift === 'super' ? 'raised' : 'lowered');
  return [...kinds];
}
