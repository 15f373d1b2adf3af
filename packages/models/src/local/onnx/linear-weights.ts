/**
 * How a layer's weights are stored and multiplied. Measured on all-MiniLM-L6-v2, see
 * docs/decisions/2026-11-21-local-embedding-models.md; `../fastest-format.ts` chooses between them.
 *
 * - `float`: unchanged; the reference that the others are compared with.
 * - `block8`, `block4`: blocks of 32 weights share a scale, inputs are cut to int8 in blocks of their row as well
 *   (MatMulNBits, accuracy level 4). A row's result does not depend on the other rows of its batch.
 * - `dynamic8`: a scale a column, one scale for all inputs of a batch (DynamicQuantizeMatMul).
 */
import { RUNTIME_DOMAIN, type GraphWriter, type Tensor } from './graph-writer.ts';
import type { FloatTensor } from './safetensors.ts';

export type LinearFormat = 'float' | 'block8' | 'block4' | 'dynamic8';

export const BLOCK = 32;
/** MatMulNBits: inputs as int8. */
const INT8_INPUTS = 4;
/** Weights over ±127 with unsigned inputs overflow 16 bits on CPUs without VNNI; ±63 cannot. */
const SAFE_RANGE = 63;

/** Weights quantised in blocks along a row: `bits` 4 or 8, unsigned with the middle of the range as zero. */
export interface BlockWeights {
  bits: 4 | 8;
  rows: number;
  columns: number;
  /** Row by row; with 4 bits, two weights per byte, the first in the low half. */
  packed: Uint8Array;
  /** One scale per block. */
  scales: Float32Array;
}

/** Adds `x · weightᵀ + bias` for a weight of [outputs, inputs], as in PyTorch's Linear. */
export function addLinear(
  graph: GraphWriter,
  input: string,
  weight: FloatTensor | BlockWeights,
  bias: Float32Array,
  format: LinearFormat,
): string {
  if (!('values' in weight)) return addBlockLinear(graph, input, weight, bias);
  if (format === 'block8' || format === 'block4') {
    return addBlockLinear(graph, input, quantiseBlocks(weight, format === 'block8' ? 8 : 4), bias);
  }
  const { columns, rows } = sizeOf(weight);
  if (format === 'float') {
    const product = graph.node('MatMul', [input, graph.floats(transposed(weight), [columns, rows])]);
    return graph.node('Add', [product, graph.floats(bias)]);
  }
  const { values, scales } = quantiseColumns(weight);
  const tensor: Tensor = { type: 'int8', dimensions: [columns, rows], data: new Uint8Array(values.buffer) };
  return graph.node(
    'DynamicQuantizeMatMul',
    [
      input,
      graph.constant(tensor),
      graph.floats(scales),
      graph.constant({ type: 'int8', dimensions: [rows], data: new Uint8Array(rows) }),
      graph.floats(bias),
    ],
    { domain: RUNTIME_DOMAIN },
  );
}

function addBlockLinear(graph: GraphWriter, input: string, weight: BlockWeights, bias: Float32Array): string {
  const blocks = weight.columns / BLOCK;
  const dimensions = [weight.rows, blocks, (BLOCK * weight.bits) / 8];
  const product = graph.node(
    'MatMulNBits',
    [input, graph.constant({ type: 'uint8', dimensions, data: weight.packed }), graph.floats(weight.scales)],
    {
      domain: RUNTIME_DOMAIN,
      attributes: {
        K: weight.columns,
        N: weight.rows,
        bits: weight.bits,
        block_size: BLOCK,
        accuracy_level: INT8_INPUTS,
      },
    },
  );
  return graph.node('Add', [product, graph.floats(bias)]);
}

/** Throws if a row does not divide into blocks. */
export function quantiseBlocks(weight: FloatTensor, bits: 4 | 8): BlockWeights {
  const { rows, columns } = sizeOf(weight);
  if (columns % BLOCK !== 0) throw new Error(`A row of ${columns} weights does not divide into blocks of ${BLOCK}`);
  const middle = 2 ** (bits - 1);
  const scales = new Float32Array(weight.values.length / BLOCK);
  const packed = new Uint8Array((weight.values.length * bits) / 8);
  for (let block = 0; block < scales.length; block++) {
    const values = weight.values.subarray(block * BLOCK, (block + 1) * BLOCK);
    const scale = blockScale(values, middle);
    scales[block] = scale;
    for (const [offset, value] of values.entries()) {
      const level = scale === 0 ? middle : clamp(Math.round(value / scale) + middle, 0, 2 * middle - 1);
      const index = block * BLOCK + offset;
      if (bits === 8) packed[index] = level;
      else packed[index >> 1] = (packed[index >> 1] ?? 0) | (level << (4 * (index & 1)));
    }
  }
  return { bits, rows, columns, packed, scales };
}

/** The range has one value more below zero, which the largest weight uses, regardless of its sign. */
function blockScale(values: Float32Array, middle: number): number {
  let largest = 0;
  for (const value of values) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest / -middle;
}

function quantiseColumns(weight: FloatTensor): { values: Int8Array; scales: Float32Array } {
  const { rows, columns } = sizeOf(weight);
  const scales = new Float32Array(rows);
  const values = new Int8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const weights = weight.values.subarray(row * columns, (row + 1) * columns);
    const scale = weights.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / SAFE_RANGE;
    scales[row] = scale;
    for (const [column, value] of weights.entries()) {
      values[column * rows + row] = scale === 0 ? 0 : Math.round(value / scale);
    }
  }
  return { values, scales };
}

function transposed(weight: FloatTensor): Float32Array {
  const { rows, columns } = sizeOf(weight);
  const result = new Float32Array(weight.values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = weight.values[row * columns + column] ?? 0;
    }
  }
  return result;
}

function sizeOf(weight: FloatTensor): { rows: number; columns: number } {
  const [rows, columns] = weight.shape;
  if (rows === undefined || columns === undefined || weight.shape.length !== 2)
    throw new Error('A layer has two sizes');
  return { rows, columns };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
