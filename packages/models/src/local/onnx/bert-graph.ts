/**
 * Writes a BERT encoder as an ONNX graph: inputs `input_ids` and `attention_mask`, output `last_hidden_state`.
 * XLM-RoBERTa is the same network with another first position. The graph uses onnxruntime's fused operators directly.
 * Compared with PyTorch, sentence vectors have a cosine of ≥ .999 with int8 and 1 − 1e-6 with floats.
 */
import { GraphWriter, RUNTIME_DOMAIN } from './graph-writer.ts';
import { addLinear, BLOCK, quantiseBlocks, type BlockWeights, type LinearFormat } from './linear-weights.ts';
import type { FloatTensor } from './safetensors.ts';

export interface BertShape {
  hiddenSize: number;
  layers: number;
  heads: number;
  layerNormEpsilon: number;
  /** First position in the table: 0, or the one after the padding's position in RoBERTa's family. */
  firstPosition: number;
}

/** Tensors by PyTorch's names in a `BertModel`; large ones may already be quantised. */
export interface WeightSource {
  vector(name: string): Promise<Float32Array>;
  matrix(name: string): Promise<FloatTensor | BlockWeights>;
}

interface Context {
  graph: GraphWriter;
  weights: WeightSource;
  shape: BertShape;
  format: LinearFormat;
  wordBits: 4 | 8;
}

/** `wordBits` is the size of the values in the table of words, unless the format is `float`. */
export async function writeBertGraph(
  weights: WeightSource,
  shape: BertShape,
  format: LinearFormat,
  wordBits: 4 | 8 = 8,
): Promise<Uint8Array> {
  const graph = new GraphWriter();
  const context: Context = { graph, weights, shape, format, wordBits };
  const ids = graph.input('input_ids', 'int64', ['batch', 'length']);
  const mask = graph.node('Cast', [graph.input('attention_mask', 'int64', ['batch', 'length'])], {
    attributes: { to: 6 },
  });
  let hidden = await addEmbeddings(context, ids);
  for (let layer = 0; layer < shape.layers; layer++) hidden = await addLayer(context, layer, hidden, mask);
  graph.rename(hidden, 'last_hidden_state');
  graph.output('last_hidden_state', 'float', ['batch', 'length', shape.hiddenSize]);
  return graph.finish();
}

async function addEmbeddings(context: Context, ids: string): Promise<string> {
  const { graph, weights, shape } = context;
  const words = await addWordTable(context, await weights.matrix('embeddings.word_embeddings.weight'), ids);
  const length = graph.node('Slice', [graph.node('Shape', [ids]), graph.integers([1]), graph.integers([2])]);
  const places = graph.node('Slice', [await positionTable(graph, weights, shape), graph.integers([0]), length]);
  const sum = graph.node('Add', [words, places]);
  return addNorm(graph, weights, 'embeddings.LayerNorm', shape, sum);
}

/** Only one segment is embedded, so its vector is added to every position in advance. */
async function positionTable(graph: GraphWriter, weights: WeightSource, shape: BertShape): Promise<string> {
  const size = shape.hiddenSize;
  const positions = await weights.vector('embeddings.position_embeddings.weight');
  const segment = (await weights.vector('embeddings.token_type_embeddings.weight')).subarray(0, size);
  const table = positions.slice(shape.firstPosition * size).map((value, index) => value + (segment[index % size] ?? 0));
  return graph.floats(table, [table.length / size, size]);
}

/** The word table is most of a small model: its rows are stored in 8 or 4 bits, with a scale for 32 values. */
async function addWordTable(
  { graph, format, wordBits }: Context,
  table: FloatTensor | BlockWeights,
  ids: string,
): Promise<string> {
  if ('values' in table && format === 'float')
    return graph.node('Gather', [graph.floats(table.values, table.shape), ids]);
  const blocks = 'values' in table ? quantiseBlocks(table, wordBits) : table;
  const count = blocks.columns / BLOCK;
  const bytes = graph.constant({
    type: 'uint8',
    dimensions: [blocks.rows, (blocks.columns * blocks.bits) / 8],
    data: blocks.packed,
  });
  const scales = graph.floats(blocks.scales, [blocks.rows, count]);
  return graph.node('GatherBlockQuantized', [bytes, ids, scales], {
    domain: RUNTIME_DOMAIN,
    attributes: { bits: blocks.bits, block_size: BLOCK, gather_axis: 0, quantize_axis: 1 },
  });
}

async function addLayer(context: Context, layer: number, input: string, mask: string): Promise<string> {
  const { graph, weights, shape } = context;
  const at = `encoder.layer.${layer}`;
  const [query, key, value] = await Promise.all(
    ['query', 'key', 'value'].map((part) => linear(context, `${at}.attention.self.${part}`, input)),
  );
  const attended = graph.node('MultiHeadAttention', [query ?? '', key ?? '', value ?? '', '', mask], {
    domain: RUNTIME_DOMAIN,
    attributes: { num_heads: shape.heads },
  });
  const projected = await linear(context, `${at}.attention.output.dense`, attended);
  const middle = await addNorm(graph, weights, `${at}.attention.output.LayerNorm`, shape, input, projected);
  const widened = await linear(context, `${at}.intermediate.dense`, middle);
  const active = graph.node('Gelu', [widened], { domain: RUNTIME_DOMAIN });
  const narrowed = await linear(context, `${at}.output.dense`, active);
  return addNorm(graph, weights, `${at}.output.LayerNorm`, shape, middle, narrowed);
}

async function linear({ graph, weights, format }: Context, name: string, input: string): Promise<string> {
  const [weight, bias] = await Promise.all([weights.matrix(`${name}.weight`), weights.vector(`${name}.bias`)]);
  return addLinear(graph, input, weight, bias, format);
}

/** Normalises a value, or the sum of two. */
async function addNorm(
  graph: GraphWriter,
  weights: WeightSource,
  name: string,
  shape: BertShape,
  first: string,
  second?: string,
): Promise<string> {
  const [weight, bias] = await Promise.all([weights.vector(`${name}.weight`), weights.vector(`${name}.bias`)]);
  const parameters = [graph.floats(weight), graph.floats(bias)];
  const attributes = { epsilon: { float: shape.layerNormEpsilon } };
  if (second === undefined) return graph.node('LayerNormalization', [first, ...parameters], { attributes });
  return graph.node('SkipLayerNormalization', [first, second, ...parameters], { domain: RUNTIME_DOMAIN, attributes });
}
