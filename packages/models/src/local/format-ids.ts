/**
 * Ids of a converted model by the format of its weights. Vectors of different formats must not be mixed (the cosine of
 * `dynamic8` to floats is .98 to .99), so each has an id of its own; `block8` has the id that the catalogue names.
 */
import type { ModelVariant } from './catalogue.ts';
import { FORMATS, type ModelFormat } from './fastest-format.ts';

const INT8 = /\/int8$/;

/** Returns the id of a model in a format: `all-minilm-l6-v2/dynamic8` for `all-minilm-l6-v2/int8`. */
export function idInFormat(modelId: string, format: ModelFormat): string {
  return format === 'block8' ? modelId : `${modelId.replace(INT8, '')}/${format}`;
}

/** Returns the ids under which a variant may be stored, with the format of each; null for a graph used as it is. */
export function idsOf({ modelId, format }: Pick<ModelVariant, 'modelId' | 'format'>): Map<string, ModelFormat | null> {
  if (format === 'onnx') return new Map([[modelId, null]]);
  return new Map(FORMATS.map((one) => [idInFormat(modelId, one), one]));
}
