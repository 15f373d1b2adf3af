import { describe, expect, it } from 'vitest';
import { defaultFusion } from './default-fusion.ts';

const shares = (en: number, de: number) => [
  { language: 'en', documents: en },
  { language: 'de', documents: de },
];

describe('defaultFusion', () => {
  it.each([
    ['bge-small-en-v1.5/int8', 9, 1, 0.5],
    ['all-minilm-l6-v2/int8', 9, 1, 0.5],
    ['all-minilm-l6-v2/int8', 1, 9, 0.05],
    ['multilingual-e5-small/q4', 1, 9, 0.5],
    ['quire-static/1', 9, 1, 0.15],
    ['quire-static/1', 1, 9, 0],
    ['text-embedding-3-small', 1, 9, 0.5],
  ])('gives %s on %i English and %i German documents a dense weight of %d', (modelId, en, de, denseWeight) => {
    expect(defaultFusion(modelId, shares(en, de))).toEqual({
      method: 'minmax',
      denseWeight,
      sparseWeight: Number((1 - denseWeight).toFixed(2)),
    });
  });

  it('treats documents of unknown language as foreign ones', () => {
    expect(defaultFusion('all-minilm-l6-v2/int8', [{ language: null, documents: 5 }]).denseWeight).toBe(0.05);
    expect(defaultFusion('all-minilm-l6-v2/int8', []).denseWeight).toBe(0.05);
  });
});
