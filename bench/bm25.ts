/** Plain BM25 over whole texts, without stemming or stop words: the baseline of the comparisons. */

const K1 = 0.9;
const B = 0.4;
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns words in lower case; runs of scripts without spaces are cut into pairs of characters. */
function termsOf(text: string): string[] {
  return (text.toLowerCase().match(WORDS) ?? []).flatMap((word) => {
    const characters = Array.from(word);
    if (!UNSPACED.test(word) || characters.length < 2) return [word];
    return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  });
}

/** Returns a function that ranks the texts for a query, the best first, by their index. */
export function bm25(texts: readonly string[]): (query: string, limit: number) => number[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = texts.map((text, at) => {
    const terms = termsOf(text);
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>();
      postings.set(term, counts.set(at, (counts.get(at) ?? 0) + 1));
    }
    return terms.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const term of termsOf(query)) {
      const counts = postings.get(term) ?? new Map<number, number>();
      const idf = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [at, count] of counts) {
        const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / mean);
        scores.set(at, (scores.get(at) ?? 0) + (idf * count) / (count + norm));
      }
    }
    return [...scores]
      .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, limit)
      .map(([at]) => at);
  };
}
