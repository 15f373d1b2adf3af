/** Finds names and titles in quotation marks in a text. */

export interface PlacedName {
  name: string;
  start: number;
}

const QUOTED = /["“„«](?<title>\p{Lu}[^"“”„»]{2,60})["”“»]/gu;
/** Capitalised words and numbers behind them, joined by particles. */
const NAME =
  /(?:\p{Lu}\.){0,4}\p{Lu}[\p{L}\p{M}\p{Nd}'’-]{0,40}(?: (?:(?:of|the|de|du|des|la|le|van|von|der|di|da|del) ){0,2}(?:\p{Lu}[\p{L}\p{M}\p{Nd}'’-]{0,40}|\p{Nd}{1,4}(?![\p{L}\p{Nd}.,]))){0,8}/gu;

/** Returns titles in quotation marks, and names without possessive endings; no single word that begins the text. */
export function placedNames(text: string): PlacedName[] {
  const quoted = Array.from(text.matchAll(QUOTED), ({ groups, index }) => ({
    name: (groups?.['title'] ?? '').replace(/[\s.,;:]{1,4}$/u, ''),
    start: index + 1,
  }));
  const names = Array.from(text.matchAll(NAME), ({ 0: name, index }) => ({
    name: name.replace(/['’]s?$/u, ''),
    start: index,
  }));
  return [...quoted, ...names].filter(({ name, start }) => name.length > 2 && (start > 0 || name.includes(' ')));
}
