import { expect, test } from 'vitest';
import { finishTree } from '@quire/blocks/finish-tree';
import type { Embedder } from '@quire/models/embedder';
import { extractTree } from './engine/extract-tree.ts';
import { embeddingInputs } from './engine/labels/embedding-inputs.ts';
import { labelSimilarities } from './label-similarities.ts';
import { readSchema } from './schema/read-schema.ts';

/** An embedder that distinguishes two meanings. */
const embedder: Pick<Embedder, 'embedDocuments'> = {
  embedDocuments: async (texts) =>
    texts.map((text) =>
      Float32Array.from(/weight|mass/i.test(text) ? [1, 0] : /colou?r|paint/i.test(text) ? [0, 1] : [0.5, 0.5]),
    ),
};

test('a label that shares no word with a field names it when their vectors are similar', async () => {
  const blocks = ['Gross mass: 12.5', 'Paint: green', 'Height: 3'].map(
    (text) => ({ type: 'paragraph', text }) as const,
  );
  const tree = finishTree({ blocks, pageCount: null, title: null, warnings: [] }, 'en');
  const schema = readSchema({ properties: { weight: { type: 'number' }, colour: { type: 'string' } } });
  const inputs = embeddingInputs(tree, schema);
  expect(inputs.fields.map(({ text }) => text)).toEqual(['weight', 'colour']);
  expect(inputs.labels).toEqual(['gross mass', 'paint', 'height']);
  const similarities = await labelSimilarities(inputs, embedder as Embedder, new AbortController().signal);
  expect(extractTree(tree, schema).data).toEqual({});
  expect(extractTree(tree, schema, similarities).data).toEqual({ weight: 12.5, colour: 'green' });
});
