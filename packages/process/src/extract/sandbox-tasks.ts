/** The extraction's work in the sandbox: it compiles callers' schemas and reads whole documents. */
import { extractTree } from './engine/extract-tree.ts';
import type { CheckValueInput, Evidence, ExtractInput, Extraction, LocateInput, Terms } from './extraction.ts';
import { termsOf } from './engine/terms.ts';
import { locate } from './model/locate.ts';
import { compileSchema } from './schema/validator.ts';

export async function extractTask({ tree, schema, likeness = [] }: ExtractInput): Promise<Extraction> {
  return extractTree(tree, schema, likeness);
}

export async function termsTask({ tree, schema }: ExtractInput): Promise<Terms> {
  return termsOf(tree, schema);
}

/** What is wrong with a value, in words; empty when nothing is. */
export async function checkValueTask({ schema, value }: CheckValueInput): Promise<string[]> {
  return compileSchema(schema)(value).map(({ message }) => message);
}

export async function locateTask({ tree, data }: LocateInput): Promise<Record<string, Evidence>> {
  return locate(tree, data);
}
