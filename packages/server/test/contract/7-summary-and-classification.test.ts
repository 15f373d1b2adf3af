/** CONTRACT section 7: the summary and classification modules of a run, without a language model. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

interface Run extends AnyRecord {
  status: string;
  outcome: { files: { summary?: { text: string }; classification?: { labels: Label[] }; errors: unknown[] }[] };
}
interface Label {
  path: string[];
  score: number;
}

const TEXT =
  'The landlord lets the flat in Mill Street to the tenant. The tenant pays a rent of 900 euros at the beginning of each month. ' +
  'The landlord has the heating checked once a year. Pets need the written consent of the landlord. ' +
  'The lease begins in May and ends after three years. The keys are handed over on the first day.';

async function run(blocks: Record<string, unknown>, content = TEXT): Promise<Run> {
  const form = new FormData();
  form.append('files', new Blob([content]), 'agreement.txt');
  for (const [name, block] of Object.entries(blocks)) form.append(name, JSON.stringify(block));
  const answer = await service.call<Run>('POST', `${workspace.url}/process?wait=60`, {
    body: form,
    key: workspace.admin,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

test('a summary consists of sentences of the file and is inline', async () => {
  const { status, outcome } = await run({ summaryConfig: { length: 'short' } });
  const { summary, errors } = outcome.files[0]!;
  expect([status, errors]).toEqual(['done', []]);
  expect(TEXT.split('. ').some((sentence) => summary!.text.includes(sentence))).toBe(true);
  expect(summary!.text.length).toBeLessThan(TEXT.length);
});

test('a classification names paths of ids with scores that sum to 1, best first', async () => {
  const taxonomy = [
    {
      id: 'legal',
      label: 'Legal',
      children: [{ id: 'lease', label: 'Lease', description: 'landlord, tenant, rent of a flat' }],
    },
    { id: 'invoice', label: 'Invoice', description: 'a bill for goods or services' },
    { id: 'recipe', label: 'Recipe', description: 'how to cook a dish' },
  ];
  const { outcome } = await run({ classificationConfig: { taxonomy }, summaryConfig: { length: 'short' } });
  const { labels } = outcome.files[0]!.classification!;
  expect([labels[0]!.path, labels.length]).toEqual([['legal', 'lease'], 3]);
  expect(labels.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 4);
  const several = await run({ classificationConfig: { taxonomy, multiLabel: true } });
  expect(several.outcome.files[0]!.classification!.labels.map(({ path }) => path)).toEqual([['legal', 'lease']]);
});

test('a module that needs a model reports it, and the other modules succeed', async () => {
  const blocks = {
    summaryConfig: { length: 'short', language: 'fr' },
    classificationConfig: { taxonomy: [{ id: 'a', label: 'Lease' }] },
  };
  const { status, outcome } = await run(blocks);
  const [file] = outcome.files;
  expect([status, file!.classification!.labels]).toEqual(['done', [{ path: ['a'], score: 1 }]]);
  expect(file!.errors).toEqual([
    {
      module: 'summary',
      type: 'unsupported',
      message: 'A summary in another language than the document’s needs a language model',
    },
  ]);
});
