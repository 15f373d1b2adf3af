/** Makes a runnable model: an ONNX graph, the tokenizer and, written last, the settings that mark it as complete. */
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { MODEL_FILE, TOKENIZER_FILE, writeModelSettings, type ModelSettings } from './model-files.ts';
import { writeBertGraph, type BertShape } from './onnx/bert-graph.ts';
import { SafetensorsFile } from './onnx/safetensors.ts';
import { safetensorsWeights } from './onnx/safetensors-weights.ts';
import { sha256Of } from './sources/source.ts';

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

export type ConversionSettings = Omit<
  ModelSettings,
  'version' | 'modelSha256' | 'dimensions' | 'paddingId' | 'runsSingleTexts'
>;

/**
 * Converts a folder with config.json, tokenizer.json and model.safetensors. Throws for architectures other than BERT's.
 */
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

/** Takes over a folder with model.onnx and tokenizer.json. */
export async function adoptOnnx(
  from: string,
  to: string,
  settings: ConversionSettings,
  graph: Pick<ModelSettings, 'dimensions' | 'paddingId' | 'runsSingleTexts'>,
): Promise<void> {
  await copyFile(path.join(from, TOKENIZER_FILE), path.join(to, TOKENIZER_FILE));
  await copyFile(path.join(from, MODEL_FILE), path.join(to, MODEL_FILE));
  const modelSha256 = await sha256Of(path.join(to, MODEL_FILE));
  await writeModelSettings(to, { ...settings, ...graph, version: 1, modelSha256 });
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
    runsSingleTexts: false,
    modelSha256: createHash('sha256').update(graph).digest('hex'),
  });
}
