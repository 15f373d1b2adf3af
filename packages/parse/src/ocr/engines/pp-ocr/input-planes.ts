/** Converts grey levels to the input of the models: three equal planes of -1 to 1. */

/** A buffer that is reused, because the collector frees one buffer for each line too late. */
let buffer = new Float32Array(0);

/** Returns the planes in a buffer that is valid until the next call. */
export function inputPlanes(levels: Uint8Array): Float32Array {
  const plane = levels.length;
  if (buffer.length < 3 * plane) buffer = new Float32Array(3 * plane);
  for (let at = 0; at < plane; at += 1) buffer[at] = (levels[at] ?? 0) / 127.5 - 1;
  buffer.copyWithin(plane, 0, plane);
  buffer.copyWithin(2 * plane, 0, plane);
  return buffer.subarray(0, 3 * plane);
}
