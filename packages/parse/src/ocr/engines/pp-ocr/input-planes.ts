/** Converts grey levels to the input of the models: equal planes of -1 to 1. */

/** A buffer that is reused, because the collector frees one buffer for each line too late. */
let buffer = new Float32Array(0);

/** Returns the planes in a buffer that is valid until the next call. */
export function inputPlanes(levels: Uint8Array, planes: number): Float32Array {
  const size = levels.length;
  if (buffer.length < planes * size) buffer = new Float32Array(planes * size);
  for (let at = 0; at < size; at += 1) buffer[at] = (levels[at] ?? 0) / 127.5 - 1;
  for (let plane = 1; plane < planes; plane += 1) buffer.copyWithin(plane * size, 0, size);
  return buffer.subarray(0, planes * size);
}
