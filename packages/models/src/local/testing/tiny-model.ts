/**
 * A tiny BERT of random weights as a sentence-transformers folder, with its forward pass written out as the reference.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const HIDDEN = 64;
const INNER = 128;
const HEADS = 4;
const LAYERS = 2;
const POSITIONS = 32;
const EPSILON = 1e-5;

export const TINY_WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'a', 'b', 'wing', 'flow', '##s', 'of', 'the', 'air'];

type Weights = Map<string, { shape: number[]; values: Float32Array }>;

export interface TinyModel {
  dimensions: number;
  /** Returns the vector of token ids with special tokens, pooled by mean or first token, L2-normalised. */
  embed(ids: readonly number[], pooling: 'mean' | 'cls'): Float32Array;
}

export async function writeTinyModel(folder: string, pooling: 'mean' | 'cls' = 'mean'): Promise<TinyModel> {
  const weights = randomWeights();
  await mkdir(path.join(folder, '1_Pooling'), { recursive: true });
  await writeFile(path.join(folder, 'model.safetensors'), safetensors(weights));
  const json = (file: string, value: unknown) => writeFile(path.join(folder, file), JSON.stringify(value));
  await json('1_Pooling/config.json', { pooling_mode_cls_token: pooling === 'cls' });
  await json('tokenizer.json', tinyTokenizer());
  await json('config.json', {
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: HIDDEN,
    num_hidden_layers: LAYERS,
    num_attention_heads: HEADS,
    layer_norm_eps: EPSILON,
    max_position_embeddings: POSITIONS,
    pad_token_id: 0,
  });
  return { dimensions: HIDDEN, embed: (ids, kind) => forward(weights, ids, kind) };
}

export function tinyTokenizer(): unknown {
  const special = { '[CLS]': 2, '[SEP]': 3 };
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [],
      special_tokens: Object.fromEntries(
        Object.entries(special).map(([id, number]) => [id, { id, ids: [number], tokens: [id] }]),
      ),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(TINY_WORDS.map((word, id) => [word, id])),
    },
  };
}

function randomWeights(): Weights {
  let state = 7;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  };
  const weights: Weights = new Map();
  const add = (name: string, shape: number[], around = 0, spread = 0.4) => {
    const size = shape.reduce((product, side) => product * side, 1);
    weights.set(name, { shape, values: Float32Array.from({ length: size }, () => around + spread * next()) });
  };
  const addNorm = (name: string) => {
    add(`${name}.weight`, [HIDDEN], 1);
    add(`${name}.bias`, [HIDDEN]);
  };
  const addLinear = (name: string, outputs: number, inputs: number) => {
    add(`${name}.weight`, [outputs, inputs]);
    add(`${name}.bias`, [outputs]);
  };
  add('bert.embeddings.word_embeddings.weight', [TINY_WORDS.length, HIDDEN], 0, 2);
  add('bert.embeddings.position_embeddings.weight', [POSITIONS, HIDDEN]);
  add('bert.embeddings.token_type_embeddings.weight', [2, HIDDEN]);
  addNorm('bert.embeddings.LayerNorm');
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `bert.encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) addLinear(`${at}.attention.self.${part}`, HIDDEN, HIDDEN);
    addLinear(`${at}.attention.output.dense`, HIDDEN, HIDDEN);
    addNorm(`${at}.attention.output.LayerNorm`);
    addLinear(`${at}.intermediate.dense`, INNER, HIDDEN);
    addLinear(`${at}.output.dense`, HIDDEN, INNER);
    addNorm(`${at}.output.LayerNorm`);
  }
  return weights;
}

function safetensors(weights: Weights): Buffer {
  let offset = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  const parts: Buffer[] = [];
  for (const [name, { shape, values }] of weights) {
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + values.byteLength] };
    parts.push(Buffer.from(values.buffer));
    offset += values.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
}

function forward(weights: Weights, ids: readonly number[], pooling: 'mean' | 'cls'): Float32Array {
  const get = (name: string) => required(weights.get(`bert.${name}`)).values;
  const linear = (row: number[], name: string) => {
    const matrix = get(`${name}.weight`);
    return Array.from(get(`${name}.bias`), (bias, output) =>
      row.reduce((sum, value, input) => sum + value * required(matrix[output * row.length + input]), bias),
    );
  };
  const norm = (row: number[], name: string) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    const [weight, bias] = [get(`${name}.weight`), get(`${name}.bias`)];
    return row.map(
      (value, i) => ((value - mean) / Math.sqrt(variance + EPSILON)) * required(weight[i]) + required(bias[i]),
    );
  };
  const add = (a: number[], b: number[]) => a.map((value, i) => value + required(b[i]));
  const table = (name: string, row: number) => [...get(name).subarray(row * HIDDEN, (row + 1) * HIDDEN)];
  let rows = ids.map((id, position) =>
    norm(
      add(
        add(table('embeddings.word_embeddings.weight', id), table('embeddings.position_embeddings.weight', position)),
        table('embeddings.token_type_embeddings.weight', 0),
      ),
      'embeddings.LayerNorm',
    ),
  );
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `encoder.layer.${layer}`;
    const project = (part: string) => rows.map((row) => linear(row, `${at}.attention.self.${part}`));
    rows = attention(project('query'), project('key'), project('value')).map((context, position) => {
      const middle = norm(
        add(required(rows[position]), linear(context, `${at}.attention.output.dense`)),
        `${at}.attention.output.LayerNorm`,
      );
      const inner = linear(middle, `${at}.intermediate.dense`).map(gelu);
      return norm(add(middle, linear(inner, `${at}.output.dense`)), `${at}.output.LayerNorm`);
    });
  }
  const counted = pooling === 'cls' ? rows.slice(0, 1) : rows;
  const sum = counted.reduce(add);
  const length = Math.hypot(...sum);
  return Float32Array.from(sum, (value) => value / length);
}

function attention(query: number[][], key: number[][], value: number[][]): number[][] {
  const size = HIDDEN / HEADS;
  return query.map((row) =>
    Array.from({ length: HEADS }, (_, head) => {
      const part = (of: number[]) => of.slice(head * size, (head + 1) * size);
      const scores = key.map(
        (other) => part(row).reduce((sum, x, i) => sum + x * required(part(other)[i]), 0) / Math.sqrt(size),
      );
      const weights = scores.map((score) => Math.exp(score));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return Array.from({ length: size }, (_, i) =>
        value.reduce((sum, other, at) => sum + (required(weights[at]) / total) * required(part(other)[i]), 0),
      );
    }).flat(),
  );
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The tiny model is not of one piece');
  return value;
}

/** Uses the error function of Abramowitz and Stegun 7.1.26, to 1.5e-7. */
function gelu(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - series * Math.exp(-z * z);
  return (x / 2) * (1 + Math.sign(x) * erf);
}
