/**
 * Reads MTEF, the formula records of Equation Editor (version 3) and MathType (versions 3 and 5), as a tree. Only
 * visible content is kept; sizes, colours, nudges and rulers are skipped. The two versions number their templates
 * differently; the tree uses one name for each.
 */
import { templateOf, type TemplateName } from './mtef-templates.ts';

export interface MtefCharacter {
  kind: 'character';
  /** MathType's style number: 1 text, 2 function, 3 variable, 7 vector, 8 number, 24 space, … */
  typeface: number;
  /** A Unicode code, or one of MathType's in the private use area. */
  code: number;
  embellishments: number[];
}

export interface MtefTemplate {
  kind: 'template';
  name: TemplateName;
  variation: number;
  /** Slots in order, including blank ones, and signs that belong to the template. */
  parts: MtefNode[];
}

export type MtefNode =
  | MtefCharacter
  | MtefTemplate
  | { kind: 'line' | 'pile'; children: MtefNode[] }
  | { kind: 'matrix'; rows: number; columns: number; children: MtefNode[] };

const Tag = {
  end: 0,
  line: 1,
  character: 2,
  template: 3,
  pile: 4,
  matrix: 5,
  embellishment: 6,
  ruler: 7,
  font: 8,
} as const;
const SIZE = 9;
const [COLOR, COLOR_DEFINITION, FONT_DEFINITION, PREFERENCES, ENCODING_DEFINITION] = [15, 16, 17, 18, 19];
const FUTURE = 100;

const NUDGED = 0x08;
const EMBELLISHED = { 3: 0x02, 5: 0x01 } as const;
const NULL_LINE = 0x01;
const LINE_SPACED = 0x04;
const RULED = 0x02;
const FONT_POSITION_8 = 0x04;
const FONT_POSITION_16 = 0x10;
const NO_CODE = 0x20;

const MAX_DEPTH = 100;

/** Returns the formula's lines; undefined for other versions. Throws a RangeError if it is truncated. */
export function readMtef(bytes: Buffer): MtefNode[] | undefined {
  const version = bytes.readUInt8(0);
  if (version !== 3 && version !== 5) return undefined;
  return new MtefReader(bytes, version).read();
}

class MtefReader {
  readonly #bytes: Buffer;
  readonly #version: 3 | 5;
  #position = 5;

  constructor(bytes: Buffer, version: 3 | 5) {
    this.#bytes = bytes;
    this.#version = version;
  }

  read(): MtefNode[] {
    if (this.#version === 5) {
      this.#skipString();
      this.#byte();
    }
    return this.#list(0);
  }

  #byte(): number {
    const value = this.#bytes.readUInt8(this.#position);
    this.#position += 1;
    return value;
  }

  #word(): number {
    const value = this.#bytes.readUInt16LE(this.#position);
    this.#position += 2;
    return value;
  }

  #pass(bytes: number): void {
    this.#position += bytes;
  }

  #skipString(): void {
    while (this.#byte() !== 0);
  }

  /** Reads records up to the end of the list, or of the formula if end records are missing. */
  #list(depth: number): MtefNode[] {
    const nodes: MtefNode[] = [];
    if (depth > MAX_DEPTH) throw new RangeError('the formula nests too deeply');
    while (this.#position < this.#bytes.length) {
      const tag = this.#byte();
      const type = this.#version === 3 ? tag & 0x0f : tag;
      if (type === Tag.end) break;
      const node = this.#record(type, this.#version === 3 ? tag >> 4 : undefined, depth);
      if (node) nodes.push(node);
    }
    return nodes;
  }

  /** `flags` are those of version 3, stored in the tag's byte; in version 5, structure records have a byte for them. */
  #record(type: number, flags: number | undefined, depth: number): MtefNode | undefined {
    switch (type) {
      case Tag.line:
        return this.#line(this.#options(flags), depth);
      case Tag.character:
        return this.#character(this.#options(flags));
      case Tag.template:
        this.#options(flags);
        return this.#template(depth);
      case Tag.pile: {
        const options = this.#options(flags);
        this.#position += 2;
        if ((options & RULED) !== 0) this.#skipRuler();
        return { kind: 'pile', children: this.#list(depth + 1) };
      }
      case Tag.matrix:
        this.#options(flags);
        return this.#matrix(depth);
      default:
        this.#skip(type);
        return undefined;
    }
  }

  #options(flags: number | undefined): number {
    const options = flags ?? this.#byte();
    if ((options & NUDGED) !== 0) this.#skipNudge();
    return options;
  }

  #skipNudge(): void {
    const [x, y] = [this.#byte(), this.#byte()];
    if (x === 128 && y === 128) this.#position += 4;
  }

  #line(options: number, depth: number): MtefNode {
    if ((options & LINE_SPACED) !== 0) this.#position += 2;
    if ((options & RULED) !== 0) this.#skipRuler();
    return { kind: 'line', children: (options & NULL_LINE) === 0 ? this.#list(depth + 1) : [] };
  }

  /** The ruler is a separate record with its own tag. */
  #skipRuler(): void {
    this.#position += 1;
    this.#pass(3 * this.#byte());
  }

  #character(options: number): MtefNode {
    const typeface = (this.#byte() + 128) & 0xff;
    const named = this.#version === 3 || (options & NO_CODE) === 0;
    const code = named ? this.#word() : 0;
    if (this.#version === 5 && (options & FONT_POSITION_8) !== 0) this.#position += 1;
    else if (this.#version === 5 && (options & FONT_POSITION_16) !== 0) this.#position += 2;
    const embellishments: number[] = [];
    if ((options & EMBELLISHED[this.#version]) !== 0) this.#embellishments(embellishments);
    return { kind: 'character', typeface, code, embellishments };
  }

  #embellishments(into: number[]): void {
    for (let tag = this.#byte(); tag !== Tag.end; tag = this.#byte()) {
      this.#options(this.#version === 3 ? tag >> 4 : undefined);
      into.push(this.#byte());
      // In version 3, each embellishment has its own end record.
      if (this.#version === 3) this.#byte();
    }
  }

  #template(depth: number): MtefNode {
    const selector = this.#byte();
    let variation = this.#byte();
    if (this.#version === 5 && variation >= 0x80) variation = (variation & 0x7f) | (this.#byte() << 8);
    this.#byte();
    const parts = this.#list(depth + 1);
    return { kind: 'template', ...templateOf(this.#version, selector, variation), parts };
  }

  #matrix(depth: number): MtefNode {
    this.#position += 3;
    const [rows, columns] = [this.#byte(), this.#byte()];
    // Two bits per line between and around the cells.
    this.#position += Math.ceil((rows + 1) / 4) + Math.ceil((columns + 1) / 4);
    return { kind: 'matrix', rows, columns, children: this.#list(depth + 1) };
  }

  #skip(type: number): void {
    switch (type) {
      case Tag.embellishment:
        this.#options(this.#version === 3 ? 0 : undefined);
        this.#byte();
        break;
      case Tag.ruler:
        this.#pass(3 * this.#byte());
        break;
      case Tag.font:
        this.#skipFont();
        break;
      case SIZE:
        this.#skipSize();
        break;
      default:
        if (this.#version === 5) this.#skipDefinition(type);
    }
  }

  #skipFont(): void {
    if (this.#version === 3) {
      this.#position += 2;
      this.#skipString();
    } else {
      this.#number();
      this.#byte();
    }
  }

  /** Skips a plain size, one of the five sizes with a long difference, or one with a short difference. */
  #skipSize(): void {
    const kind = this.#byte();
    this.#position += kind === 101 ? 2 : kind === 100 ? 3 : 1;
  }

  #skipDefinition(type: number): void {
    if (type === COLOR) this.#number();
    else if (type === COLOR_DEFINITION) this.#skipColor();
    else if (type === FONT_DEFINITION) {
      this.#number();
      this.#skipString();
    } else if (type === ENCODING_DEFINITION) this.#skipString();
    else if (type === PREFERENCES) this.#skipPreferences();
    else if (type >= FUTURE) this.#pass(this.#number());
  }

  #number(): number {
    const short = this.#byte();
    return short < 0xff ? short : this.#word();
  }

  #skipColor(): void {
    const options = this.#byte();
    this.#position += (options & 1) === 0 ? 6 : 8;
    if ((options & 4) !== 0) this.#skipString();
  }

  /** Skips two lists of measures in half bytes, each terminated by `f`, then the fonts of the styles. */
  #skipPreferences(): void {
    this.#byte();
    this.#skipMeasures();
    this.#skipMeasures();
    for (let styles = this.#byte(); styles > 0; styles -= 1) if (this.#byte() !== 0) this.#byte();
  }

  #skipMeasures(): void {
    let left = this.#byte();
    while (left > 0) {
      const byte = this.#byte();
      if (byte >> 4 === 0xf) left -= 1;
      if (left > 0 && (byte & 0xf) === 0xf) left -= 1;
    }
  }
}
