/** Decodes the recogniser's output (connectionist temporal classification) to characters with positions. */

export interface Character {
  text: string;
  /** Index of the step at which the character was recognised. */
  step: number;
  confidence: number;
}

/** The best character (0 for none) and its probability at each step. */
export interface Steps {
  best: ArrayLike<bigint | number>;
  probabilities: ArrayLike<number>;
}

/** A character that fills consecutive steps is one character; its position is its most probable step. */
export function decodeLine({ best, probabilities }: Steps, alphabet: readonly string[]): Character[] {
  const characters: Character[] = [];
  let last = 0;
  for (let step = 0; step < best.length; step += 1) {
    const index = Number(best[step]);
    const confidence = probabilities[step] ?? 0;
    const current = characters.at(-1);
    if (index !== 0 && index !== last) characters.push({ text: alphabet[index - 1] ?? '', step, confidence });
    else if (index !== 0 && current !== undefined && confidence > current.confidence) {
      current.step = step;
      current.confidence = confidence;
    }
    last = index;
  }
  return characters;
}
