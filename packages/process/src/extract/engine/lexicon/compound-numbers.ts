/** Number words from 21 to 99 that are composed of a multiple of ten and a digit. */

const words = (list: string): string[] => list.split(' | ');

/** Returns the compounds by word. The lists begin with twenty and with one; `join` spells a compound. */
export function compoundNumbers(
  tens: string,
  units: string,
  join: (ten: string, unit: string) => readonly string[],
): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [ten, word] of words(tens).entries())
    for (const [unit, digit] of words(units).entries())
      for (const spelled of join(word, digit)) numbers[spelled] = (ten + 2) * 10 + unit + 1;
  return numbers;
}
