/** A runnable model on disk: the content of the cache, opened by `OnnxEmbedder`. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const settingsSchema = z.object({
  /** Version of this file; a model with another version is converted again. */
  version: z.literal(1),
  modelId: z.string().min(1),
  dimensions: z.int().min(1),
  /** Maximum number of input tokens, with special tokens and prefix. */
  maxTokens: z.int().min(8),
  pooling: z.enum(['cls', 'mean']),
  queryPrefix: z.string(),
  documentPrefix: z.string(),
  paddingId: z.int().min(0),
  /** True if a vector would depend on the other texts of its batch; such a model gets one text at a time. */
  runsSingleTexts: z.boolean().default(false),
  /** How the weights of a converted model are stored, and what each format cost when it was chosen, for people. */
  format: z.enum(['block8', 'dynamic8', 'float']).optional(),
  measured: z.string().optional(),
  /** Source of the weights, as text. */
  source: z.string(),
  modelSha256: z.string(),
});
export type ModelSettings = z.output<typeof settingsSchema>;

export interface ModelFiles extends ModelSettings {
  modelFile: string;
  tokenizerFile: string;
}

/** A folder of the cache is a complete model if it has this file, which is written last. */
export const SETTINGS_FILE = 'quire-model.json';
export const MODEL_FILE = 'model.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';

/** Returns the folder of a model in the cache. */
export const modelFolder = (cacheDir: string, modelId: string): string =>
  path.join(cacheDir, modelId.replace(/[^a-zA-Z0-9._@-]+/g, '-'));

/** Returns undefined if the folder has no complete model. */
export async function readModelFiles(folder: string): Promise<ModelFiles | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, SETTINGS_FILE), 'utf8');
  } catch {
    return undefined;
  }
  const settings = settingsSchema.safeParse(JSON.parse(text));
  if (!settings.success) return undefined;
  return {
    ...settings.data,
    modelFile: path.join(folder, MODEL_FILE),
    tokenizerFile: path.join(folder, TOKENIZER_FILE),
  };
}

export async function writeModelSettings(folder: string, settings: ModelSettings): Promise<void> {
  const partial = path.join(folder, `${SETTINGS_FILE}.partial`);
  await writeFile(partial, `${JSON.stringify(settings, null, 2)}\n`);
  await rename(partial, path.join(folder, SETTINGS_FILE));
}
