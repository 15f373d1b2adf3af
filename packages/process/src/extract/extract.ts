/**
 * The extraction module (CONTRACT section 7): values for a caller's JSON Schema, each with the position that it was
 * read from. It uses the language model when one is configured, otherwise the engine in `engine/`. The data always
 * validates, and missing values are never invented: see docs/decisions/2026-11-21-missing-values-in-extraction.md.
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

/** Creates the module. Work that compiles schemas or reads whole documents runs in the sandbox. */
export function extraction(
  sandbox: Pick<SandboxClient, 'extract' | 'embeddingInputs' | 'checkValue' | 'locateValues'>,
): Module<ExtractionConfig, Extraction> {
  return async (
    { tree, packedTree = tree },
    { jsonSchema, instructions = null },
    { model, embedder, onProgress },
    signal,
  ) => {
    const schema = readSchema(jsonSchema);
    if (model === null) {
      const inputs = embedder === null ? null : await sandbox.embeddingInputs({ tree: packedTree, schema }, { signal });
      const similarities =
        embedder === null || inputs === null ? [] : await labelSimilarities(inputs, embedder, signal);
      const result = await sandbox.extract({ tree: packedTree, schema, similarities }, { signal, onProgress });
      return { result, outputs: [], usage: { inputTokens: 0, outputTokens: 0 } };
    }
    const deps = { model, sandbox, onProgress };
    return { ...(await extractWithModel({ tree, packedTree, schema, instructions }, deps, signal)), outputs: [] };
  };
}

/** Returns the problems of the schema; `path` leads to the offending keyword. */
export async function checkExtraction({ jsonSchema }: ExtractionConfig): Promise<BlockProblem[]> {
  try {
    readSchema(jsonSchema);
    return [];
  } catch (error) {
    if (error instanceof SchemaProblem) return [{ path: ['jsonSchema', ...error.path], error: error.message }];
    throw error;
  }
}
