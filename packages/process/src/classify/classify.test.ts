import { afterAll, expect, test } from 'vitest';
import { ScriptedChatModel, shownTo } from '@quire/models/testing/scripted-chat-model';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import type { Embedder } from '@quire/models/embedder';
import type { ClassificationConfig, TaxonomyNode } from '../blocks.ts';
import { markdownDocument, moduleDeps } from '../testing/markdown-document.ts';
import { classify } from './classify.ts';
import { labelsOf, leavesOf, meaningsOf } from './taxonomy.ts';

const local = new LocalEmbedders();
afterAll(() => local.close());
const { signal } = new AbortController();

const TAXONOMY: TaxonomyNode[] = [
  {
    id: 'legal',
    label: 'Legal',
    description: 'Contracts, courts and laws',
    children: [
      { id: 'lease', label: 'Lease', description: 'Renting a flat or an office: landlord, tenant, rent' },
      { id: 'court', label: 'Court decision', description: 'Judgments of a court in a lawsuit' },
    ],
  },
  { id: 'invoice', label: 'Invoice', description: 'A bill for goods or services with an amount to be paid' },
  { id: 'recipe', label: 'Recipe', description: 'How to cook a dish: ingredients and steps' },
];
const LEASE = `# Agreement\n\nThe landlord lets the flat to the tenant. The tenant pays a rent of 900 euros each month.`;
const RECIPE = `# Pancakes\n\nMix flour, milk and eggs. Heat butter in a pan and fry the dough on both sides until it is golden.`;

async function labels(text: string, config: Partial<ClassificationConfig> = {}, embedder: Embedder | null = null) {
  const whole = { taxonomy: TAXONOMY, ...config };
  return (await classify(await markdownDocument(text), whole, moduleDeps(null, embedder), signal)).result.labels;
}

test('without a model a document is classified by meaning and by words, through the levels of the taxonomy', async () => {
  for (const embedder of [null, await local.open('quire-static/1')]) {
    expect((await labels(LEASE, {}, embedder))[0]?.path).toEqual(['legal', 'lease']);
  }
  expect((await labels(RECIPE, {}, await local.open('quire-static/1')))[0]?.path).toEqual(['recipe']);
});

test('the scores of a single label sum to 1, best first, and are equal without any evidence', async () => {
  const scored = await labels(LEASE, {}, await local.open('quire-static/1'));
  expect(scored.map(({ path }) => path.join('/')).toSorted()).toEqual([
    'invoice',
    'legal/court',
    'legal/lease',
    'recipe',
  ]);
  expect(scored.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 4);
  expect(scored.map(({ score }) => score)).toEqual(scored.map(({ score }) => score).toSorted((a, b) => b - a));
  const none = await labels('Zzz qqq xxx.');
  expect(none.map(({ score }) => score)).toEqual([0.333333, 0.333333, 0.166667, 0.166667]);
});

test('with multiLabel the result holds the labels that some part of the document is about', async () => {
  const embedder = await local.open('quire-static/1');
  const taxonomy = TAXONOMY.slice(1);
  expect(await labels(RECIPE, { taxonomy, multiLabel: true }, embedder)).toHaveLength(1);
  const both = `${RECIPE}\n\nInvoice: a bill for the service, amount to be paid 30 euros, please pay the bill.`;
  const found = await labels(both, { taxonomy, multiLabel: true }, embedder);
  expect(found.map(({ path }) => path[0]).toSorted()).toEqual(['invoice', 'recipe']);
});

test('labels in any spelling are split into words, and a group means what its members mean', () => {
  const [first] = labelsOf([{ id: 'x', label: 'card_notWorking', children: [{ id: 'y', label: 'Sci/Tech' }] }]);
  expect(meaningsOf(first!).map(({ meaning }) => meaning)).toEqual(['card not Working', 'Sci Tech']);
  expect(leavesOf([first!]).map(({ path }) => path)).toEqual([['x', 'y']]);
});

test('a long document is classified by its outline, its beginning and its central sentences', async () => {
  const lease = Array.from(
    { length: 60 },
    (_, at) => `In month ${at} the tenant paid the rent for the flat to the landlord in time.`,
  );
  const text = `# Agreement\n\n${lease.join(' ')}\n\n## Annex\n\nPancakes are made of flour and eggs.`;
  expect((await labels(text, {}, await local.open('quire-static/1')))[0]?.path).toEqual(['legal', 'lease']);
});

test('a text without words cannot be classified', async () => {
  await expect(labels('')).rejects.toMatchObject({ type: 'no_text' });
});

test('a model can only answer with existing labels, and the labels that it does not name share the remainder', async () => {
  const answers = [
    '{"labels": [{"key": "L9", "confidence": 1}]}',
    '{"labels": [{"key": "L1", "confidence": 0.7}, {"key": "L3", "confidence": 0.14}]}',
  ];
  const model = new ScriptedChatModel((_, call) => [answers[call] ?? '']);
  const { result, usage } = await classify(
    await markdownDocument(LEASE),
    { taxonomy: TAXONOMY },
    moduleDeps(model),
    signal,
  );
  expect(result.labels).toEqual([
    { path: ['legal', 'lease'], score: 0.7 },
    { path: ['invoice'], score: 0.14 },
    { path: ['legal', 'court'], score: 0.08 },
    { path: ['recipe'], score: 0.08 },
  ]);
  expect(usage).toEqual({ inputTokens: 200, outputTokens: 20 });
  expect(shownTo(model.requests[0])).toContain(
    'L1: Legal > Lease: Renting a flat or an office: landlord, tenant, rent',
  );
  expect(JSON.stringify(model.requests[0]?.output)).toContain('"enum":["L1","L2","L3","L4"]');
});

test('a model may name several labels, and receives only the likeliest labels of a large taxonomy', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    id: `n${at}`,
    label: at === 250 ? 'Lease of a flat to a tenant' : `Pump ${at}`,
  }));
  const model = new ScriptedChatModel(() => [
    '{"labels": [{"key": "L1", "confidence": 0.9}, {"key": "L2", "confidence": 0.8}]}',
  ]);
  const config = { taxonomy: many, multiLabel: true };
  const { result } = await classify(await markdownDocument(LEASE), config, moduleDeps(model), signal);
  expect(result.labels.map(({ path, score }) => [path.length, score])).toEqual([
    [1, 0.9],
    [1, 0.8],
  ]);
  expect(result.labels[0]?.path).toEqual(['n250']);
  expect(shownTo(model.requests[0])).not.toContain('L201');
});

test('a label that is near to every text does not win by that', async () => {
  // The first dimension is common to all texts, the second to texts about pumps.
  const embedDocuments = async (texts: readonly string[]): Promise<Float32Array[]> =>
    texts.map((text) => {
      if (text.includes('Various')) return Float32Array.from([1, 0, 0]);
      return Float32Array.from(text.includes('pump') ? [0.7, 0.714, 0] : [0.8, 0, 0.6]);
    });
  const embedder: Embedder = {
    modelId: 'made-up',
    dimensions: 3,
    maxTokens: 100,
    tokenCounter: { count: (text) => text.split(' ').length },
    embedDocuments,
    embedQuery: async () => Float32Array.from([1, 0, 0]),
    close: async () => undefined,
  };
  const taxonomy = [
    { id: 'various', label: 'Various' },
    { id: 'pumps', label: 'Machines that move water: pump' },
    { id: 'songs', label: 'Songs' },
  ];
  const found = await labels('The pump is tested at four bars.', { taxonomy }, embedder);
  expect(found[0]?.path).toEqual(['pumps']);
});

test('a faint sign of a subject counts more than what all texts share, and more than a word of a label', async () => {
  const vectorOf = (text: string): number[] => {
    if (text.includes('Various')) return [1, 0];
    if (text.includes('Pumps')) return [Math.SQRT1_2, Math.SQRT1_2];
    return text.includes('four bars') ? [0.995, 0.0999] : [1, 0];
  };
  const embedder: Embedder = {
    modelId: 'made-up',
    dimensions: 2,
    maxTokens: 100,
    tokenCounter: { count: (text) => text.split(' ').length },
    embedDocuments: async (texts) => texts.map((text) => Float32Array.from(vectorOf(text))),
    embedQuery: async () => Float32Array.from([1, 0]),
    close: async () => undefined,
  };
  const taxonomy = [
    { id: 'various', label: 'Various' },
    { id: 'pumps', label: 'Pumps' },
  ];
  const found = await labels(
    'These are tested at four bars in a laboratory for various reasons.',
    { taxonomy },
    embedder,
  );
  expect(found[0]?.path).toEqual(['pumps']);
});
