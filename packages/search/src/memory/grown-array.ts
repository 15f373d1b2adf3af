/** Typed arrays that grow by copying: their memory is known, and the garbage collector does not scan them. */
type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;

/** Returns the array itself if it is long enough, else a copy with capacity for 1.5 times `length`. */
export function grown<Numbers extends TypedArray>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers;
  const Class = numbers.constructor as new (length: number) => Numbers;
  const copy = new Class(Math.max(16, Math.ceil(length * 1.5)));
  copy.set(numbers as never);
  return copy;
}
