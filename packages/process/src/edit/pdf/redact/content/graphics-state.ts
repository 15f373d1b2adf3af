/** The part of the graphics state that determines the position of glyphs and images. */
import type { Operand } from './content-tokens.ts';
import type { FontMetrics } from '../fonts/font-metrics.ts';
import { IDENTITY, multiply, type Matrix } from '@quire/parse/formats/pdf/matrix';

interface Saved {
  matrix: Matrix;
  font: FontMetrics | undefined;
  size: number;
  characterSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

const MAX_SAVED = 10_000;

export class GraphicsState {
  matrix: Matrix;
  font: FontMetrics | undefined;
  size = 0;
  characterSpacing = 0;
  wordSpacing = 0;
  /** Horizontal scaling; 1 is normal. */
  scale = 1;
  leading = 0;
  rise = 0;
  textMatrix: Matrix = IDENTITY;
  #lineMatrix: Matrix = IDENTITY;
  readonly #saved: Saved[] = [];

  constructor(matrix: Matrix) {
    this.matrix = matrix;
  }

  /** Number of saved states that were not restored. */
  get depth(): number {
    return this.#saved.length;
  }

  setFont(font: FontMetrics, size: Operand | undefined): void {
    this.font = font;
    this.size = numberOf(size);
  }

  /** Restores the last saved state. Returns false when there is none; viewers ignore such an operator. */
  restore(): boolean {
    const saved = this.#saved.pop();
    if (saved === undefined) return false;
    Object.assign(this, saved);
    return true;
  }

  take(name: string, operands: readonly Operand[]): void {
    const [first] = operands;
    if (name === 'q') this.#save();
    else if (name === 'cm') this.matrix = multiply(matrixOf(operands), this.matrix);
    else if (name === 'BT') this.#setLine(IDENTITY);
    else if (name === 'Tm') this.#setLine(matrixOf(operands));
    else if (name === 'Td') this.#moveLine(numberOf(first), numberOf(operands[1]));
    else if (name === 'TD') {
      this.leading = -numberOf(operands[1]);
      this.#moveLine(numberOf(first), numberOf(operands[1]));
    } else if (name === 'T*') this.nextLine();
    else if (name === 'Tc') this.characterSpacing = numberOf(first);
    else if (name === 'Tw') this.wordSpacing = numberOf(first);
    else if (name === 'Tz') this.scale = numberOf(first) / 100;
    else if (name === 'TL') this.leading = numberOf(first);
    else if (name === 'Ts') this.rise = numberOf(first);
  }

  nextLine(): void {
    this.#moveLine(0, -this.leading);
  }

  /** Sets the spacings that the `"` operator sets before it shows its text. */
  spacings(operands: readonly Operand[]): void {
    this.wordSpacing = numberOf(operands[0]);
    this.characterSpacing = numberOf(operands[1]);
  }

  /** Moves the text position within a line, in text space. */
  advance(x: number, y: number): void {
    this.textMatrix = multiply([1, 0, 0, 1, x, y], this.textMatrix);
  }

  #moveLine(x: number, y: number): void {
    this.#setLine(multiply([1, 0, 0, 1, x, y], this.#lineMatrix));
  }

  #setLine(matrix: Matrix): void {
    this.#lineMatrix = matrix;
    this.textMatrix = matrix;
  }

  #save(): void {
    const { matrix, font, size, characterSpacing, wordSpacing, scale, leading, rise } = this;
    if (this.#saved.length < MAX_SAVED)
      this.#saved.push({ matrix, font, size, characterSpacing, wordSpacing, scale, leading, rise });
  }
}

export const numberOf = (operand: Operand | undefined): number => (operand?.kind === 'number' ? operand.value : 0);

function matrixOf(operands: readonly Operand[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands.map(numberOf);
  return [a, b, c, d, e, f];
}
