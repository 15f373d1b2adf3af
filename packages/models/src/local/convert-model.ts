/** Makes a runnable model: an ONNX graph, the tokenizer and, written last, the settings that mark it as complete. */
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { measureFormats, type FormatChoice } from './fastest-format.ts';
import { MODEL_FILE, TOKENIZER_FILE, writeModelSettings, type ModelSettings } from './model-files.ts';
import { writeBertGraph, type BertShape } from './onnx/bert-graph.ts';
import { SafetensorsFile } from './onnx/safetensors.ts';
import { safetensorsWeights } from './onnx/safetensors-weights.ts';
import { sha256Of } from './sources/source.ts';

const WEIGHTS_FILE = 'model.safetensors';

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
  'version' | 'modelSha256' | 'dimensions' | 'paddingId' | 'runsSingleTexts' | 'format' | 'measured'
>;

/** Returns the format that suits this processor, for the model of a folder. Uses `work` for temporary files. */
export async function chooseFormat(from: string, work: string): Promise<FormatChoice> {
  const { shape, positions } = await readShape(from);
  const weights = await SafetensorsFile.open(path.join(from, WEIGHTS_FILE));
  try {
    return await measureFormats(safetensorsWeights(weights), shape, positions, work);
  } finally {
    await weights.close();
  }
}

/**
 * Converts a folder with config.json, tokenizer.json and model.safetensors, with words in `wordBits`. Throws for
 * architectures other than BERT's.
 */
export async function convertSafetensors(
  from: string,
  to: string,
  settings: ConversionSettings,
  choice: Pick<FormatChoice, 'format'> & Partial<FormatChoice>,
  wordBits: 4 | 8 = 8,
): Promise<void> {
  const { shape, positions, paddingId } = await readShape(from);
  const weights = await SafetensorsFile.open(path.join(from, WEIGHTS_FILE));
  try {
    const graph = await writeBertGraph(safetensorsWeights(weights), shape, choice.format, wordBits);
    await copyFile(path.join(from, TOKENIZER_FILE), path.join(to, TOKENIZER_FILE));
    await writeFile(path.join(to, MODEL_FILE), graph);
    await writeModelSettings(to, {
      ...settings,
      ...choice,
      version: 1,
      maxTokens: Math.min(settings.maxTokens, positions),
      dimensions: shape.hiddenSize,
      paddingId,
      // One scale for all inputs of a batch makes a vector depend on the other texts.
      runsSingleTexts: choice.format === 'dynamic8',
      modelSha256: createHash('sha256').update(graph).digest('hex'),
    });
  } finally {
    await weights.close();
  }
}

interface ModelShape {
  shape: BertShape;
  /** Maximum number of tokens. */
  positions: number;
  paddingId: number;
}

async function readShape(folder: string): Promise<ModelShape> {
  const config = configSchema.parse(JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8')));
  const firstPosition = config.model_type === 'bert' ? 0 : config.pad_token_id + 1;
  const shape: BertShape = {
    hiddenSize: config.hidden_size,
    layers: config.num_hidden_layers,
    heads: config.num_attention_heads,
    layerNormEpsilon: config.layer_norm_eps,
    firstPosition,
  };
  return { shape, positions: config.max_position_embeddings - firstPosition, paddingId: config.pad_token_id };
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
