/** Runs the recogniser on one line. */
import type { InferenceSession } from 'onnxruntime-node';
import { LINE_HEIGHT, type LinePicture } from './cut-line.ts';
import { decodeLine, type Character } from './decode-line.ts';
import { inputPlanes } from './input-planes.ts';
import type { Runtime } from './model-files.ts';

export async function recogniseLine(
  { Tensor }: Runtime,
  session: InferenceSession,
  line: LinePicture,
  alphabet: readonly string[],
): Promise<Character[]> {
  const input = inputPlanes(line.levels, 1);
  const output = await session.run({ x: new Tensor('float32', input, [1, 1, LINE_HEIGHT, line.width]) });
  const [best, probabilities] = [output['character']?.data, output['probability']?.data];
  if (!(best instanceof BigInt64Array) || !(probabilities instanceof Float32Array)) {
    throw new Error('The recogniser gives no characters');
  }
  return decodeLine({ best, probabilities }, alphabet);
}
