/**
 * Extraction (CONTRACT section 7): values for a caller's JSON Schema, each with the place that it was read from. With a
 * language model the model reads; without one our own engine does (`engine/`). Either way the data validates, and a
 * value that the document does not give is never made up: see docs/decisions/2026-11-21-missing-values-in-extraction.md.
 */
import type { ExtractionConfig } from '../blocks.ts';
import type { Module } from '../module.ts';
import type { SandboxClient } from '../tasks/sandbox-client.ts';
import type { BlockProblem } from '../registry.ts';
import type { Extraction } from './extraction.ts';
import { labelSimilarities } from './label-similarities.ts';
import { extractWithModel } from './model/extract-with-model.ts';
import { readSchema } from './schema/read-schema.ts';
import { SchemaProblem } from './schema/schema-problem.ts';

/** The work that compiles schemas or reads whole documents is done in the sandbox. */
export function extraction(
  sandbox: Pick<SandboxClient, 'extract' | 'embeddingInputs' | 'checkValue' | 'locateValues'>,
): Module<ExtractionConfig, Extraction> {
  return async ({ tree }, { jsonSchema, instructions = null }, { model, embedder, onProgress }, signal) => {
    const schema = readSchema(jsonSchema);
    if (model === null) {
      const inputs = embedder === null ? null : await sandbox.embeddingInputs({ tree, schema }, { signal });
      const similarities =
        embedder === null || inputs === null ? [] : await labelSimilarities(inputs, embedder, signal);
      const result = await sandbox.extract({ tree, schema, similarities }, { signal, onProgress });
      return { result, outputs: [], usage: { inputTokens: 0, outputTokens: 0 } };
    }
    const deps = { model, sandbox, onProgress };
    return { ...(await extractWithModel({ tree, schema, instructions }, deps, signal)), outputs: [] };
  };
}

/** What is wrong with the schema; `path` leads to the offending keyword. */
export async function checkExtraction({ jsonSchema }: ExtractionConfig): Promise<BlockProblem[]> {
  try {
    readSchema(jsonSchema);
    return [];
  } catch (error) {
    if (error instanceof SchemaProblem) return [{ path: ['jsonSchema', ...error.path], error: error.message }];
    throw error;
  }
}
