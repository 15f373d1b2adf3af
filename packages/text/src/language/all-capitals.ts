/** Reads texts that are typed with the capitals key locked. */

const WORDS = /\p{L}{2,}/gu;
/** Number of words in capitals up to which they may be names: "NASA ESA". */
const MAX_NAMES = 2;

/** Returns the text in lower case if it is written in capitals only and has three words or more. */
export function withoutAllCapitals(text: string): string {
  if (/\p{Ll}/u.test(text)) return text;
  const words = text.match(WORDS) ?? [];
  const capitals = words.filter((word) => word !== word.toLowerCase());
  return capitals.length > MAX_NAMES ? text.toLowerCase() : text;
}
