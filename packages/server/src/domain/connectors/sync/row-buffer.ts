/**
 * The rows of a statement as JSON in bytes, in one buffer for all pages of a listing. V8 keeps the parameters of
 * finished statements until it collects its whole heap: with new bytes for each page, memory grew by 50 MB in between.
 */
export class RowBuffer {
  #bytes = Buffer.alloc(0);

  /** Returns the JSON of the rows, which is valid until the next call. */
  encode(rows: readonly object[]): Buffer {
    const json = JSON.stringify(rows);
    const length = Buffer.byteLength(json);
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(2 * length);
    this.#bytes.write(json);
    return this.#bytes.subarray(0, length);
  }
}
