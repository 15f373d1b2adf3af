/**
 * Removes markup with which an answer could send data to a foreign host once a client renders it: a retrieved text may
 * have instructed the model to write it. Images lose their address, links keep theirs only if a source has it, and HTML
 * elements that load or run something are dropped. Text that may become such markup with the next piece is held back.
 */

/** Maximum length of markup, in UTF-16 code units; longer brackets are no markup and lose their opening. */
const MAX_MARKUP = 2_500;

const OPENING = /!?\[|<|!$/;
/** Matches a whole link or image in line. */
const INLINE = /^(!?)\[([^\]\n]*)\]\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)/;
/** Matches a link by reference, or the definition of one. */
const REFERENCE = /^!\[([^\]\n]*)\](?:\[[^\]\n]*\])?(?![[(])/;
const DEFINITION = /^\[[^\]\n]+\]:[ \t]*\S*/;
const AUTOLINK = /^<([a-z][a-z0-9+.-]*:[^\s<>]*)>/i;
const TAG = /^<[/!?]?[a-z][^<>]*>/i;
/** Elements that load, run, submit or overlay something. */
const ACTIVE =
  /^<\/?(?:a|applet|area|audio|base|body|button|embed|form|frame|frameset|head|html|iframe|image|img|input|link|math|meta|object|picture|portal|script|source|style|svg|track|use|video)\b/i;
/** Addresses that leave the client's own host: with a scheme, or relative to one. */
const FOREIGN = /^\s*<?\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;
/** Prefixes of markup that further text may complete. */
const UNFINISHED =
  /^(?:!|!?\[[^\]\n]*|!?\[[^\]\n]*\]|!?\[[^\]\n]*\][([:][^\n]*|!\[[^\]\n]*\]\[[^\]\n]*\]|<[/!?]?|<[/!?]?[a-z][^<>]*)$/i;

/** Markup that has begun and not ended: without its opening it is plain text. */
const CUT_OFF = /^(?:!?\[[^\]\n]*|!?\[[^\]\n]*\][([:][^\n]*|<[/!?]?[a-z][^<>]*)$/i;

export class SafeMarkup {
  readonly #isKnownAddress: (address: string) => boolean;
  #held = '';

  /** `isKnownAddress`: whether one of the sources contains the address. */
  constructor(isKnownAddress: (address: string) => boolean) {
    this.#isKnownAddress = isKnownAddress;
  }

  push(piece: string): string {
    return this.#drain(this.#held + piece, false);
  }

  /** Returns the text held back, at the end of the stream or before a mark. */
  end(): string {
    return this.#drain(this.#held, true);
  }

  #drain(text: string, isEnd: boolean): string {
    let shown = '';
    let rest = text;
    this.#held = '';
    for (let at = rest.search(OPENING); at !== -1; at = rest.search(OPENING)) {
      shown += rest.slice(0, at);
      rest = rest.slice(at);
      const found = this.#markupAt(rest.slice(0, MAX_MARKUP));
      const mayGrow = !isEnd && rest.length <= MAX_MARKUP && UNFINISHED.test(rest);
      if (mayGrow && (found === null || found.length === rest.length)) {
        this.#held = rest;
        return shown;
      }
      if (found !== null && found.safe) {
        shown += rest.slice(0, found.length);
        rest = rest.slice(found.length);
      } else if (found !== null) {
        // The replacement is read again: it may hold further markup.
        rest = found.replacement + rest.slice(found.length);
      } else {
        // An opening that is cut off here could be completed by text after a mark.
        const width = rest.startsWith('![') ? 2 : 1;
        if (!CUT_OFF.test(rest.slice(0, MAX_MARKUP))) shown += rest.slice(0, width);
        rest = rest.slice(width);
      }
    }
    return shown + rest;
  }

  /** Returns the markup at the beginning of the text with its replacement; null for none. */
  #markupAt(text: string): { length: number; safe: boolean; replacement: string } | null {
    const inline = INLINE.exec(text);
    if (inline !== null) {
      const [{ length }, mark = '', label = '', target = ''] = inline;
      const safe = mark === '' && !label.includes('[') && this.#isAllowed(target);
      return { length, safe, replacement: label.trim() === '' ? ' ' : label };
    }
    const reference = REFERENCE.exec(text);
    if (reference !== null) return { length: reference[0].length, safe: false, replacement: reference[1] || ' ' };
    const definition = DEFINITION.exec(text);
    if (definition !== null) {
      const target = definition[0].slice(definition[0].indexOf(']:') + 2);
      return { length: definition[0].length, safe: this.#isAllowed(target), replacement: ' ' };
    }
    const autolink = AUTOLINK.exec(text);
    if (autolink !== null) {
      const [{ length }, target = ''] = autolink;
      return { length, safe: this.#isAllowed(target), replacement: ' ' };
    }
    const tag = TAG.exec(text);
    return tag === null ? null : { length: tag[0].length, safe: !ACTIVE.test(tag[0]), replacement: ' ' };
  }

  #isAllowed(target: string): boolean {
    if (!FOREIGN.test(target)) return true;
    const address =
      target
        .trim()
        .replace(/^<|>.*$/g, '')
        .split(/\s/)[0] ?? '';
    return /^https?:\/\//i.test(address) && this.#isKnownAddress(address);
  }
}
