/** Writes the part of protobuf's wire format that an ONNX file needs: varints, floats and length-delimited fields. */
const VARINT = 0;
const DELIMITED = 2;
const FIXED32 = 5;

/**
 * A message under construction. Parts are joined once at the end, so that large tensors are not copied for each
 * enclosing message.
 */
export class MessageWriter {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  integer(field: number, value: number): this {
    return this.#tag(field, VARINT).#push(varint(value));
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#tag(field, FIXED32).#push(bytes);
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, DELIMITED).#push(varint(value.length)).#push(value);
  }

  message(field: number, message: MessageWriter): this {
    return this.#tag(field, DELIMITED).#push(varint(message.#length)).append(message);
  }

  /** Adds the fields of another message to this one. */
  append(message: MessageWriter): this {
    for (const piece of message.#pieces) this.#push(piece);
    return this;
  }

  finish(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, offset);
      offset += piece.length;
    }
    return whole;
  }

  #tag(field: number, wireType: number): this {
    return this.#push(varint(field * 8 + wireType));
  }

  #push(piece: Uint8Array): this {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this;
  }
}

/** Negative numbers take protobuf's ten bytes of two's complement. */
function varint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
