/**
 * The string or array of a text operator: its glyphs with their positions, and its source without the removed glyphs.
 */
import type { Operand } from './content-tokens.ts';
import type { GraphicsState } from './graphics-state.ts';
import { apply, multiply } from '@quire/parse/formats/pdf/matrix';
import { mapBox } from '../targets/page-boxes.ts';
import type { RedactionMask } from '../targets/redaction-mask.ts';

/** Assumed extent of a glyph above and below the baseline, as a share of the font size. */
const DESCENT = -0.22;
const ASCENT = 0.78;
const SPACE = 32;

/** A number of a `TJ` array, or a glyph's code. */
type Part = { move: number } | { code: Uint8Array; move: number; removed: boolean };

export class ShownText {
  readonly #items: readonly Operand[];
  readonly #state: GraphicsState;
  readonly #parts: Part[] = [];

  constructor(operand: Operand | undefined, state: GraphicsState) {
    this.#items = operand?.kind === 'array' ? operand.items : operand === undefined ? [] : [operand];
    this.#state = state;
  }

  /** Walks over the text, advances the graphics state and marks the glyphs under the mask. Returns their number. */
  remove(mask: RedactionMask): number {
    let removed = 0;
    for (const item of this.#items) {
      if (item.kind === 'number') {
        this.#parts.push({ move: item.value });
        this.#moveOn((-item.value / 1000) * this.#state.size);
      } else if (item.kind === 'string') removed += this.#glyphs(item.bytes, mask);
    }
    return removed;
  }

  /**
   * Returns the text as a `TJ` array. Adjacent removed glyphs are replaced by their total width, since single widths
   * would reveal the letters.
   */
  source(): string {
    const written: string[] = [];
    let codes: Uint8Array[] = [];
    let move = 0;
    for (const part of this.#parts) {
      if ('code' in part && !part.removed) {
        if (move !== 0) written.push(String(Math.round(move * 1000) / 1000));
        move = 0;
        codes.push(part.code);
      } else {
        if (codes.length > 0) written.push(hexOf(codes));
        codes = [];
        move += part.move;
      }
    }
    if (move !== 0) written.push(String(Math.round(move * 1000) / 1000));
    if (codes.length > 0) written.push(hexOf(codes));
    return `[${written.join(' ')}]`;
  }

  #glyphs(bytes: Uint8Array, mask: RedactionMask): number {
    const { font, size, characterSpacing, wordSpacing } = this.#state;
    if (font === undefined) {
      this.#parts.push({ code: bytes, move: 0, removed: false });
      return 0;
    }
    let removed = 0;
    let at = 0;
    for (const { code, bytes: length } of font.codes(bytes)) {
      const advance = font.advance(code, length);
      const spacing = characterSpacing + (length === 1 && code === SPACE ? wordSpacing : 0);
      const isRemoved = this.#isUnder(mask, advance);
      const move = size === 0 ? 0 : -1000 * (advance + spacing / size);
      this.#parts.push({ code: bytes.subarray(at, at + length), move, removed: isRemoved });
      this.#moveOn(advance * size + spacing);
      removed += isRemoved ? 1 : 0;
      at += length;
    }
    return removed;
  }

  #isUnder(mask: RedactionMask, advance: number): boolean {
    const { textMatrix, matrix, rise, size, scale, font } = this.#state;
    const placed = multiply(multiply([size * scale, 0, 0, size, 0, rise], textMatrix), matrix);
    const box = font?.vertical === true ? ([-0.5, advance, 0.5, 0] as const) : ([0, DESCENT, advance, ASCENT] as const);
    return mask.covers({ origin: apply(placed, 0, 0), box: mapBox(placed, box), upright: isUpright(placed) });
  }

  #moveOn(distance: number): void {
    const { font, scale } = this.#state;
    if (font?.vertical === true) this.#state.advance(0, distance);
    else this.#state.advance(distance * scale, 0);
  }
}

const isUpright = ([a, b]: readonly number[]): boolean =>
  Math.min(Math.abs(a ?? 0), Math.abs(b ?? 0)) <= 0.01 * Math.max(Math.abs(a ?? 0), Math.abs(b ?? 0));

const hexOf = (codes: readonly Uint8Array[]): string => `<${Buffer.concat(codes).toString('hex')}>`;
