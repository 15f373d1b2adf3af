/**
 * Reads the UTF-16 units of texts into a typed array. A loop over it takes a third of the time of a loop over
 * `charCodeAt`, regardless of how the string was built.
 */
const INITIAL_UNITS = 4096;
/** Maximum number of units for which memory is kept; a longer text gets temporary memory. */
const MAX_KEPT_UNITS = 2 ** 18;

export class TextUnits {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_UNITS * 2);
  #units = unitsOf(this.#bytes);

  /** Returns the units of the text, followed by other units; valid until the next call. */
  read(text: string): Uint16Array {
    if (text.length > MAX_KEPT_UNITS) {
      const bytes = Buffer.allocUnsafeSlow(text.length * 2);
      bytes.write(text, 'utf16le');
      return unitsOf(bytes);
    }
    if (text.length > this.#units.length) {
      this.#bytes = Buffer.allocUnsafeSlow(text.length * 4);
      this.#units = unitsOf(this.#bytes);
    }
    this.#bytes.write(text, 'utf16le');
    return this.#units;
  }
}

const unitsOf = ({ buffer, byteOffset, length }: Buffer): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length / 2);
