/**
 * Links bare addresses in Markdown as GitHub does: `https://…` while parsing, `www.…` and mail addresses in the
 * finished text.
 */
import type { StateInline } from 'markdown-it';
import type { TextLink } from '@quire/blocks/block';

const COLON = 0x3a;
/** Maximum length of an address; no browser follows longer ones. */
const MAX_LENGTH = 2000;

/** Inline rule that matches at the colon and consumes the address, so that `https://x.y/_a_` contains no emphasis. */
export function address(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== COLON || state.linkLevel > 0) return false;
  if (!state.src.startsWith('://', state.pos)) return false;
  const scheme = /(?<![\p{L}\p{N}])https?$/iu.exec(state.pending)?.[0];
  if (scheme === undefined) return false;
  const rest = /^:\/\/[\p{L}\p{N}][^\s<]*/u.exec(
    state.src.slice(state.pos, Math.min(state.posMax, state.pos + MAX_LENGTH)),
  )?.[0];
  if (rest === undefined) return false;
  const tail = trimmed(rest);
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    state.push('link_open', 'a', 1).attrs = [['href', scheme + tail]];
    state.push('text', '', 0).content = scheme + tail;
    state.push('link_close', 'a', -1);
  }
  state.pos += tail.length;
  return true;
}

/**
 * Removes punctuation at the end, which belongs to the sentence, and a closing bracket that was opened before the
 * address.
 */
function trimmed(text: string): string {
  let end = text.length;
  for (;;) {
    const last = text.charAt(end - 1);
    const part = text.slice(0, end);
    const entity = last === ';' ? /&[a-z0-9]+;$/i.exec(part)?.[0] : undefined;
    if (entity !== undefined) end -= entity.length;
    else if (/[?!.,:*_~'"]/.test(last) || (last === ')' && count(part, ')') > count(part, '('))) end -= 1;
    else return part;
  }
}

const count = (text: string, mark: string): number => text.split(mark).length - 1;

const WRITTEN =
  /(?<![\p{L}\p{N}/])www\.[\p{L}\p{N}][^\s<]{0,2000}|(?<![\p{L}\p{N}._+/-])[a-z0-9][a-z0-9._+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z0-9-]*[a-z]/giu;

/** Returns the addresses without a scheme in a text. */
export function writtenAddresses(text: string): TextLink[] {
  if (!/www\.|@/i.test(text)) return [];
  return Array.from(text.matchAll(WRITTEN), (match): TextLink => {
    const found = trimmed(match[0]);
    const href = /^www\./i.test(found) ? `http://${found}` : `mailto:${found}`;
    return { start: match.index, end: match.index + found.length, href };
  });
}
