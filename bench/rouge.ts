/** ROUGE (Lin, 2004) without stemming: F1 of the longest common subsequence and of shared words and pairs. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function f1(overlap: number, gold: number, found: number): number {
  return overlap === 0 ? 0 : (2 * overlap) / (gold + found);
}

function common(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let at = 1; at <= b.length; at++) {
      const [left = 0, above = 0, diagonal = 0] = [next[at - 1], row[at], row[at - 1]];
      next[at] = word === b[at - 1] ? diagonal + 1 : Math.max(left, above);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function grams(words: readonly string[], size: number): string[] {
  return words.slice(size - 1).map((_, at) => words.slice(at, at + size).join(' '));
}

function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const gram of a) left.set(gram, (left.get(gram) ?? 0) + 1);
  let count = 0;
  for (const gram of b) {
    const rest = left.get(gram) ?? 0;
    if (rest > 0) count += 1;
    left.set(gram, rest - 1);
  }
  return count;
}

export interface Rouge {
  r1: number;
  r2: number;
  rl: number;
}

function rouge(gold: string, found: string): Rouge {
  const [a, b] = [wordsOf(gold), wordsOf(found)];
  const [pairsA, pairsB] = [grams(a, 2), grams(b, 2)];
  return {
    r1: f1(shared(a, b), a.length, b.length),
    r2: f1(shared(pairsA, pairsB), pairsA.length, pairsB.length),
    rl: f1(common(a, b), a.length, b.length),
  };
}

/** Returns the best score over several references, separately for each measure. */
export function bestRouge(references: readonly string[], found: string): Rouge {
  const all = references.map((reference) => rouge(reference, found));
  const most = (key: keyof Rouge): number => Math.max(0, ...all.map((each) => each[key]));
  return { r1: most('r1'), r2: most('r2'), rl: most('rl') };
}
