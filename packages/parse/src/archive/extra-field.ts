/** Returns the data of the first extra field with this id in a zip header, without a copy. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  let at = 0;
  while (at + 4 <= extra.length) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}
