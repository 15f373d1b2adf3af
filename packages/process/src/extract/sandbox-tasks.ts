/** The sandbox tasks of extraction, which compile callers' schemas and read whole documents. */
import type { DocumentTree } from '@quire/blocks/block';
import { unpackWholeTree } from '../parse/packed-tree.ts';
import { extractTree } from './engine/extract-tree.ts';
import type {
  CheckValueInput,
  Evidence,
  ExtractInput,
  Extraction,
  LocateInput,
  EmbeddingInputs,
  TreeInput,
} from './extraction.ts';
import { embeddingInputs } from './engine/labels/embedding-inputs.ts';
import { locate } from './model/locate.ts';
import { compileSchema } from './schema/validator.ts';

const wholeTree = (tree: TreeInput): DocumentTree => (ArrayBuffer.isView(tree) ? unpackWholeTree(tree) : tree);

export async function extractTask({ tree, schema, similarities = [] }: ExtractInput): Promise<Extraction> {
  return extractTree(wholeTree(tree), schema, similarities);
}

export async function embeddingInputsTask({ tree, schema }: ExtractInput): Promise<EmbeddingInputs> {
  return embeddingInputs(wholeTree(tree), schema);
}

/** Returns the value's validation errors in words; empty for a valid value. */
export async function checkValueTask({ schema, value }: CheckValueInput): Promise<string[]> {
  return compileSchema(schema)(value).map(({ message }) => message);
}

export async function locateTask({ tree, data }: LocateInput): Promise<Record<string, Evidence>> {
  return locate(wholeTree(tree), data);
}
