/** IEEE 754 half precision, little endian: the format of vectors in PostgreSQL (half the bytes, error below 0.001). */
/** Converts the bits of a float32. */
function half(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const exponent = ((word >>> 23) & 0xff) - 112;
  const mantissa = word & 0x7fffff;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent <= 0) {
    if (exponent < -10) return sign;
    const shifted = (mantissa | 0x800000) >>> (1 - exponent);
    return sign | ((shifted + 0x1000) >>> 13);
  }
  // Rounding may carry into the exponent, which still gives the correct value.
  return (sign | (exponent << 10) | (mantissa >>> 13)) + ((mantissa >>> 12) & 1);
}

export function toFloat16(vector: Float32Array): Buffer {
  const bits = new Uint32Array(vector.buffer, vector.byteOffset, vector.length);
  const buffer = Buffer.allocUnsafe(vector.length * 2);
  for (let index = 0; index < bits.length; index += 1) {
    const value = half(bits[index] ?? 0);
    buffer[2 * index] = value;
    buffer[2 * index + 1] = value >>> 8;
  }
  return buffer;
}

export function fromFloat16(buffer: Buffer): Float32Array {
  const vector = new Float32Array(buffer.length / 2);
  for (let index = 0; index < vector.length; index++) {
    const word = buffer.readUInt16LE(index * 2);
    const exponent = (word >>> 10) & 0x1f;
    const mantissa = word & 0x3ff;
    const magnitude =
      exponent === 0
        ? mantissa * 2 ** -24
        : exponent === 31
          ? mantissa
            ? NaN
            : Infinity
          : (1 + mantissa / 1024) * 2 ** (exponent - 15);
    vector[index] = word & 0x8000 ? -magnitude : magnitude;
  }
  return vector;
}
