/** Finds the full words for the abbreviations of a question, in the texts that were found for it. */

/**
 * Three to six capitals, or two with an ampersand between them: "EPS", "R&D", "SG&A". The initials of two words are
 * found by chance too often.
 */
const ABBREVIATION = /(?<![\p{L}\p{Nd}])(?:\p{Lu}(?:&?\p{Lu}){2,5}|\p{Lu}&\p{Lu})(?![\p{L}\p{Nd}&])/gu;
/** Small words between the words of an expansion, whose initials an abbreviation may leave out. */
const SMALL =
  /^(?:and|of|the|for|to|in|on|und|der|die|das|des|et|de|du|des|la|le|les|y|del|el|e|di|da|van|en|het|&)$/iu;
const WORD = /[\p{L}\p{M}'’]+|&/gu;
/** Number of texts, and of characters of each, that are read. */
const MAX_TEXTS = 10;
const MAX_TEXT = 6_000;

/** Returns the question with those abbreviations spelled out that the texts only have as words. */
export function spelledOut(question: string, texts: readonly string[]): string {
  const read = texts.slice(0, MAX_TEXTS).map((text) => text.slice(0, MAX_TEXT));
  return question.replaceAll(ABBREVIATION, (short) => {
    if (read.some((text) => Array.from(text.matchAll(ABBREVIATION), ([each]) => each).includes(short))) return short;
    for (const text of read) {
      const words = expansionOf(short.replaceAll('&', ''), text);
      if (words !== undefined) return words;
    }
    return short;
  });
}

/**
 * Returns the first consecutive words of which the letters are the initials: capitalised ones, or those of a row's
 * label. Small words between them count for none.
 */
function expansionOf(letters: string, text: string): string | undefined {
  for (const line of text.split('\n')) {
    const isRow = line.includes('|');
    for (const [at, part] of line.split(/[|.;:()]/u).entries()) {
      const words = part.match(WORD) ?? [];
      for (const start of words.keys()) {
        const found = wordsFrom(words, start, letters, !isRow || at > 0);
        if (found !== undefined) return found.join(' ');
      }
    }
  }
  return undefined;
}

function wordsFrom(
  words: readonly string[],
  start: number,
  letters: string,
  capitalised: boolean,
): string[] | undefined {
  if (SMALL.test(words[start] ?? '')) return undefined;
  const found: string[] = [];
  let next = 0;
  for (let at = start; at < words.length && next < letters.length; at += 1) {
    const word = words[at] ?? '';
    const initial = capitalised ? word.charAt(0) : word.charAt(0).toUpperCase();
    if (initial === letters[next]) next += 1;
    else if (!SMALL.test(word)) return undefined;
    found.push(word);
  }
  return next === letters.length ? found : undefined;
}
