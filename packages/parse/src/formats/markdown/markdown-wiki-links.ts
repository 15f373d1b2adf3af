/** Parses wiki links: `[[Page]]`, `[[Page|words]]`, `[[Page#Heading]]`. */
import type { StateInline } from 'markdown-it';

const LINK = /^\[\[(?=[^\]|\n]*\p{L})([^\s\][|\n][^\][|\n]{0,200})(?:\|([^\][|\n]{1,200}))?\]\](?![([:])/u;

/** Inline rule for a link with its visible text. Brackets followed by a space are a shell test and are ignored. */
export function wikiLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[[', state.pos)) return false;
  const match = LINK.exec(state.src.slice(state.pos, state.pos + 410));
  const target = match?.[1];
  if (!match || target === undefined) return false;
  if (!silent) {
    state.push('link_open', 'a', 1).attrSet('href', target);
    state.push('text', '', 0).content = match[2] ?? target;
    state.push('link_close', 'a', -1);
  }
  state.pos += match[0].length;
  return true;
}
