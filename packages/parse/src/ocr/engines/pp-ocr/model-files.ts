/** Finds the weights of PP-OCR and the runtime, two optional packages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { hasByteProducts } from './byte-products.ts';

const require = createRequire(import.meta.url);

/** The parts of `onnxruntime-node` that the engine uses. */
export interface Runtime {
  InferenceSession: { create(file: string, options: InferenceSession.SessionOptions): Promise<InferenceSession> };
  Tensor: typeof Tensor;
}

export interface PpOcrFiles {
  runtime: Runtime;
  detector: string;
  recogniser: string;
  /** Characters by the recogniser's output, from output 1; output 0 separates characters. */
  characters: readonly string[];
}

/** Returns null if the weights or the runtime are not installed. */
export async function findPpOcr(): Promise<PpOcrFiles | null> {
  const folder = packagedFolder();
  const runtime = await loadRuntime();
  if (folder === null || runtime === null) return null;
  const characters = await readFile(path.join(folder, 'characters.txt'), 'utf8');
  return {
    runtime,
    detector: path.join(folder, 'detector.onnx'),
    recogniser: path.join(folder, (await hasByteProducts()) ? 'recogniser-8bit.onnx' : 'recogniser.onnx'),
    characters: [...characters.split('\n'), ' '],
  };
}

function packagedFolder(): string | null {
  try {
    return path.join(path.dirname(require.resolve('@quire/ocr-models/package.json')), 'assets');
  } catch {
    return null;
  }
}

async function loadRuntime(): Promise<Runtime | null> {
  try {
    return await import('onnxruntime-node');
  } catch {
    // The package is optional, and has no library for some systems.
    return null;
  }
}
