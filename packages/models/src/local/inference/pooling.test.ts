import { describe, expect, it } from 'vitest';
import { planBatches } from './plan-batches.ts';
import { poolRows } from './pooling.ts';

describe('poolRows', () => {
  // Two texts of up to three tokens in two dimensions; the second has one token and padding.
  const hidden = Float32Array.of(3, 0, 0, 0, 0, 4, 0, 5, 9, 9, 9, 9);

  it('takes the mean over the tokens of each text, without the padding', () => {
    const vectors = poolRows(hidden, [2, 3, 2], [3, 1], 'mean');
    expect([...vectors].map((value) => Number(value.toFixed(4)))).toEqual([0.6, 0.8, 0, 1]);
  });

  it('takes the first token with CLS pooling', () => {
    expect(poolRows(hidden, [2, 3, 2], [3, 1], 'cls')).toEqual(Float32Array.of(1, 0, 0, 1));
  });

  it('only normalises output that the model has already pooled', () => {
    expect(poolRows(Float32Array.of(0, 2, 5, 0), [2, 2], [3, 1], 'mean')).toEqual(Float32Array.of(0, 1, 1, 0));
  });

  it('keeps the zero vector', () => {
    expect(poolRows(Float32Array.of(0, 0), [1, 1, 2], [1], 'mean')).toEqual(Float32Array.of(0, 0));
  });
});

describe('planBatches', () => {
  it('groups texts of similar length and keeps padded batches within the limit', () => {
    expect(planBatches([40, 5, 50, 6, 7, 100], 100)).toEqual([[1, 3, 4], [0, 2], [5]]);
  });

  it('puts a text over the limit into a batch of its own', () => {
    expect(planBatches([300, 2], 100)).toEqual([[1], [0]]);
  });

  it('returns no batch for no text', () => {
    expect(planBatches([])).toEqual([]);
  });
});
