/** CONTRACT section 7: extraction without a model, from the request to the outcome. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace, runForm, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../server.ts';

interface Run extends AnyRecord {
  status: string;
  error: { type: string; message: string } | null;
  outcome: { files: { extraction?: { data: unknown; evidence: Record<string, unknown> }; errors: unknown[] }[] } | null;
}

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

const INVOICE = 'Invoice Number: NW-17\n\nInvoice Date: 14 March 2024\n\nTotal due: 1,140.00 EUR\n';

function extract(jsonSchema: unknown, text = INVOICE): Promise<TestAnswer<Run>> {
  const body = runForm({ 'invoice.txt': text }, { extractionConfig: { jsonSchema } });
  return service.call<Run>('POST', `${workspace.url}/process?wait=60`, { body });
}

test('values come with the words that they were read from', async () => {
  const { status, data } = await extract({
    type: 'object',
    properties: {
      invoiceNumber: { type: 'string' },
      date: { type: 'string', format: 'date' },
      total: { type: 'number' },
      currency: { enum: ['EUR', 'USD'] },
      iban: { type: ['string', 'null'] },
    },
    required: ['invoiceNumber', 'total', 'iban'],
  });
  expect([status, data.status]).toEqual([200, 'done']);
  const extraction = data.outcome?.files[0]?.extraction;
  expect(extraction?.data).toEqual({
    invoiceNumber: 'NW-17',
    date: '2024-03-14',
    total: 1140,
    currency: 'EUR',
    iban: null,
  });
  expect(Object.keys(extraction?.evidence ?? {})).toEqual(['/invoiceNumber', '/date', '/total', '/currency']);
  expect(extraction?.evidence['/date']).toEqual({
    page: null,
    bbox: null,
    boxes: [],
    quote: '14 March 2024',
    confidence: expect.closeTo(0.9, 0),
  });
});

test('a schema that cannot be used is 422 at the keyword', async () => {
  const { status, detail } = await extract({
    properties: { a: { items: { pattern: '(?<=x)y' } }, b: { $ref: 'other.json' } },
  });
  expect(status).toBe(422);
  expect(detail).toEqual([
    expect.objectContaining({
      type: 'value_error',
      loc: ['body', 'extractionConfig', 'jsonSchema', 'properties', 'a', 'items', 'pattern'],
    }),
  ]);
});

test('a value that is required and not there fails with `no_value`, and names the place', async () => {
  const { data } = await extract({ type: 'object', properties: { weight: { type: 'number' } }, required: ['weight'] });
  expect([data.status, data.error]).toEqual([
    'failed',
    { type: 'no_value', message: 'The schema requires a value at /weight, which the document does not contain' },
  ]);
});
