/** Reads and adopts a model folder in the layout of sentence-transformers, given by the operator. */
import { copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ConversionSettings } from './convert-model.ts';
import { MODEL_FILE, TOKENIZER_FILE, writeModelSettings } from './model-files.ts';
import { sha256Of } from './sources/source.ts';

const configSchema = z.object({
  hidden_size: z.int(),
  max_position_embeddings: z.int(),
  pad_token_id: z.int().nullish(),
});
const poolingSchema = z.object({ pooling_mode_cls_token: z.boolean().default(false) });
const sequenceSchema = z.object({ max_seq_length: z.int().nullish() });
const promptsSchema = z.object({ prompts: z.record(z.string(), z.string()).default({}) });

/** Places that exporters write to; quantised files come first. */
const ONNX_FILES = [
  'model_quantized.onnx',
  'model_int8.onnx',
  'model.onnx',
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model.onnx',
];

export interface FolderModel {
  folder: string;
  /** The ONNX or safetensors file, relative to the folder. */
  weights: string;
  dimensions: number;
  paddingId: number;
  settings: Pick<ConversionSettings, 'maxTokens' | 'pooling' | 'queryPrefix' | 'documentPrefix'>;
}

/** Returns undefined if the folder has no model. Throws if it has one that cannot be read. */
export async function readModelFolder(folder: string): Promise<FolderModel | undefined> {
  const weights = await firstFile(folder, [...ONNX_FILES, 'model.safetensors']);
  if (weights === undefined || !(await isFile(path.join(folder, TOKENIZER_FILE)))) return undefined;
  const config = configSchema.parse(await readJson(folder, 'config.json', {}));
  const pooling = poolingSchema.parse(await readJson(folder, '1_Pooling/config.json', {}));
  const sequence = sequenceSchema.parse(await readJson(folder, 'sentence_bert_config.json', {}));
  const { prompts } = promptsSchema.parse(await readJson(folder, 'config_sentence_transformers.json', {}));
  return {
    folder,
    weights,
    dimensions: config.hidden_size,
    paddingId: config.pad_token_id ?? 0,
    settings: {
      maxTokens: Math.min(config.max_position_embeddings, sequence.max_seq_length ?? config.max_position_embeddings),
      pooling: pooling.pooling_mode_cls_token ? 'cls' : 'mean',
      queryPrefix: prompts['query'] ?? '',
      documentPrefix: prompts['document'] ?? prompts['passage'] ?? '',
    },
  };
}

/** Copies an ONNX model into the cache, so that a collection keeps its model when the folder changes. */
export async function adoptFolder(model: FolderModel, to: string, settings: ConversionSettings): Promise<void> {
  await copyFile(path.join(model.folder, model.weights), path.join(to, MODEL_FILE));
  await copyFile(path.join(model.folder, TOKENIZER_FILE), path.join(to, TOKENIZER_FILE));
  await writeModelSettings(to, {
    ...settings,
    version: 1,
    dimensions: model.dimensions,
    paddingId: model.paddingId,
    runsSingleTexts: false,
    modelSha256: await sha256Of(path.join(to, MODEL_FILE)),
  });
}

export interface CrossEncoderFolder {
  name: string;
  folder: string;
  /** The ONNX file, relative to the folder. */
  weights: string;
}

/** Returns the folder of a cross-encoder below `modelDir`; undefined if there is none, or the name is a path. */
export async function readCrossEncoder(modelDir: string, name: string): Promise<CrossEncoderFolder | undefined> {
  if (!/^[\p{L}\p{Nd}][\p{L}\p{Nd}._-]*$/u.test(name)) return undefined;
  const folder = path.resolve(modelDir, name);
  const weights = await firstFile(folder, ONNX_FILES);
  const others = await Promise.all(['config.json', TOKENIZER_FILE].map((file) => isFile(path.join(folder, file))));
  return weights === undefined || others.includes(false) ? undefined : { name, folder, weights };
}

async function firstFile(folder: string, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await isFile(path.join(folder, candidate))) return candidate;
  return undefined;
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function readJson(folder: string, file: string, fallback: unknown): Promise<unknown> {
  const place = path.join(folder, file);
  return (await isFile(place)) ? (JSON.parse(await readFile(place, 'utf8')) as unknown) : fallback;
}
