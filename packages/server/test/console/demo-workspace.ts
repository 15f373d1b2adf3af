/** A workspace with records on every page of the console, for the pictures of the guide and the proofs. */
import { createWebhookSecret, FailedError, Quire } from '@quire/client';
import { startReceiver } from '@quire/outbound/testing/receiver';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';

export interface DemoWorkspace {
  ws: string;
  /** Key with the permission `admin`. */
  key: string;
  quire: Quire;
  collectionId: string;
  documentId: string;
  chatId: string;
  runId: string;
  deliveryId: string;
  rootKey: string;
  /** A workspace without records, and its key. */
  empty: { ws: string; key: string };
}

const LEASE = [
  new TestPage(595, 700)
    .text(60, 80, 'Lease of 12 Marchmont Street', { size: 20, font: 'bold' })
    .lines(60, 130, [
      'This lease is made between Ada Lovelace, the landlord, and Mary Jackson, the tenant. It begins on',
      '1 March 2026 and runs for an indefinite time.',
    ])
    .text(60, 190, 'Rent', { size: 14, font: 'bold' })
    .lines(60, 215, [
      'The monthly rent is EUR 1,200.00 and is due on the third working day of each month. The costs of',
      'heating are paid in advance with EUR 140.00 a month and are settled once a year.',
    ])
    .text(60, 280, 'Deposit', { size: 14, font: 'bold' })
    .lines(60, 305, [
      'The tenant pays a deposit of three monthly rents. The landlord keeps it apart from other money and',
      'returns it within six months after the end of the lease.',
    ]),
  new TestPage(595, 700)
    .text(60, 80, 'Notice', { size: 14, font: 'bold' })
    .lines(60, 105, [
      'The tenant may end the lease with a notice of three months to the end of a month. The notice is given',
      'in writing. After five years the notice of the landlord is six months.',
    ])
    .text(60, 170, 'Repairs', { size: 14, font: 'bold' })
    .lines(60, 195, [
      'The landlord keeps the flat in the state of the contract. The tenant pays small repairs up to',
      'EUR 100.00 each, and at most EUR 300.00 a year.',
    ]),
];

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  [
    'house-rules.md',
    '# House rules\n\n## Quiet hours\n\nQuiet hours are from 22:00 to 7:00.\n\n## Bicycles\n\nBicycles are kept in the cellar, and never in the staircase.\n',
  ],
  ['opening-hours.md', '# Office\n\nThe office is open from nine to five. On Thursdays it closes at eight.\n'],
  ['heating-costs-2025.csv', 'Flat,Consumption kWh,Cost EUR\n1,4210,612.40\n2,3980,578.95\n3,5120,744.80\n'],
  [
    'handover.html',
    '<h1>Handover</h1><p>Four keys were handed over: two for the front door and two for the flat.</p><table><tr><th>Meter</th><th>Reading</th></tr><tr><td>Water</td><td>118.2</td></tr></table>',
  ],
  [
    'insurance.md',
    '# Insurance\n\nThe building is insured against fire, water and storms. Contents are insured by the tenant.\n',
  ],
];
const INVOICE = new TestPage(595, 700)
  .text(60, 80, 'Invoice', { size: 20, font: 'bold' })
  .text(60, 120, 'Invoice number: A-1077')
  .text(60, 140, 'Invoice date: 2026-03-04')
  .text(60, 160, 'Supplier: Northern Heating Ltd')
  .text(60, 200, 'Service of the heating system in Marchmont Street 12, including the yearly inspection.')
  .text(60, 230, 'Total amount: 1,120.50 EUR', { font: 'bold' });

const file = (name: string, content: string | Buffer): File => new File([new Uint8Array(Buffer.from(content))], name);

/** Receives the webhooks: one address accepts them, the other does not. Give its settings to the service. */
export async function startDemoHooks(): Promise<{ url: string; env: Record<string, string>; close(): Promise<void> }> {
  const { url, caFile, close } = await startReceiver(({ path }, response) => {
    const isAccepted = path !== '/crm';
    response.writeHead(isAccepted ? 200 : 503, { 'content-type': 'application/json' });
    response.end(isAccepted ? '{"accepted":true}' : '{"error":"The CRM is down for maintenance until 22:00."}');
  });
  return { url, close, env: { QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1', QUIRE_EXTRA_CA_FILE: caFile } };
}

/** Creates the records; `hooks` is the address that receives the webhooks. */
export async function createDemoWorkspace(
  url: string,
  rootKey: string,
  hooks = 'https://hooks.invalid',
): Promise<DemoWorkspace> {
  const root = new Quire({ url, key: rootKey });
  const { id: ws } = await root.workspaces.create({ name: 'Property office' });
  const { key } = await root.workspace(ws).keys.create({ name: 'Console', permission: 'admin' });
  const quire = new Quire({ url, key });
  await quire.keys.create({ name: 'Intranet search', permission: 'read' });
  await quire.keys.create({ name: 'Nightly import', permission: 'write', expiresAt: '2027-12-31T23:59:59.000Z' });
  const { id: collectionId } = await quire.collections.create({ name: 'Leases', description: 'Signed since 2019' });
  await quire.collections.create({ name: 'Correspondence' });
  const crm = await createWebhooks(quire, hooks);
  const documents = quire.collection(collectionId).documents;
  for (const [name, text] of TEXTS) await documents.upload(file(name, text)).ready();
  const lease = await documents.upload(file('lease-marchmont-street.pdf', makePdf(LEASE))).ready();
  await fail(documents.upload(file('scan-empty.html', '<html><body></body></html>')));
  await fail(documents.upload(file('scan-back-page.pdf', makePdf([new TestPage()]))));
  const chatId = await createAnswers(quire, collectionId);
  const { id: runId } = await quire.runs.create(
    [file('invoice-a-1077.pdf', makePdf([INVOICE]))],
    {
      parserConfig: { formats: ['markdown'] },
      extractionConfig: {
        jsonSchema: {
          type: 'object',
          properties: {
            invoiceNumber: { type: 'string' },
            invoiceDate: { type: 'string', format: 'date' },
            supplier: { type: 'string' },
            totalAmount: { type: 'number' },
          },
        },
      },
      summaryConfig: { length: 'short' },
    },
    { wait: 60 },
  );
  const { id: deliveryId } = await quire.webhooks.test(crm);
  const { id: emptyId } = await root.workspaces.create({ name: 'Archive' });
  const empty = await root.workspace(emptyId).keys.create({ name: 'Console', permission: 'admin' });
  return {
    ws,
    key,
    quire,
    collectionId,
    documentId: lease.id,
    chatId,
    runId,
    deliveryId,
    rootKey,
    empty: { ws: emptyId, key: empty.key },
  };
}

/** Creates the webhooks and returns the id of the one whose messages are not accepted. */
async function createWebhooks(quire: Quire, hooks: string): Promise<string> {
  const create = (name: string, path: string, events: ('document.ready' | 'document.failed' | 'process.completed')[]) =>
    quire.webhooks.create({ name, url: `${hooks}${path}`, events, signingSecret: createWebhookSecret() });
  await create('Back office', '/back-office', ['document.ready', 'process.completed']);
  return (await create('CRM', '/crm', ['document.failed'])).id;
}

/** Waits for a document that is refused. */
async function fail({ ready }: { ready: () => Promise<unknown> }): Promise<void> {
  await ready().catch((error: unknown) => {
    if (!(error instanceof FailedError)) throw error;
  });
}

async function createAnswers(quire: Quire, collectionId: string): Promise<string> {
  const chat = await quire.chats.create({ title: 'How long is the notice?', collection_id: collectionId });
  await quire.chats.create({ title: 'What does the tenant pay for repairs?', collection_id: collectionId });
  await quire.chat(chat.id).ask('How long is the notice of the tenant?').final;
  return chat.id;
}

/** Questions of the evaluation, which the browser stores. */
export const DEMO_QUESTIONS = [
  { query: 'How high is the monthly rent?', documents: ['lease-marchmont-street.pdf'] },
  { query: 'How long is the notice of the tenant?', documents: ['lease-marchmont-street.pdf'] },
  { query: 'When is it quiet in the house?', documents: ['house-rules.md'] },
  { query: 'Where do bicycles belong?', documents: ['house-rules.md'] },
  { query: 'How many keys were handed over?', documents: ['handover.html'] },
  { query: 'Which damage is insured?', documents: ['insurance.md'] },
  { query: 'What happens to the security money after moving out?', documents: ['lease-marchmont-street.pdf'] },
  { query: 'Can I come by in the evening?', documents: ['opening-hours.md'] },
];

/** Addresses of the pages, with the key that opens them. */
export function demoPages(demo: DemoWorkspace) {
  const { ws, key, rootKey, empty, collectionId, documentId, chatId, runId } = demo;
  const at = (path: string, by = key): string => `/w/${ws}${path}#key=${by}`;
  const collection = `/collections/${collectionId}`;
  const document = `${collection}/documents/${documentId}`;
  return {
    'sign-in': `/w/${ws}/collections`,
    workspaces: `/#key=${rootKey}`,
    'first-start': `/w/${empty.ws}/start#key=${empty.key}`,
    'no-collections': `/w/${empty.ws}/collections#key=${empty.key}`,
    start: at(`/start?in=${collectionId}`),
    collections: at('/collections'),
    'new-collection': at('/collections?new=1'),
    documents: at(collection),
    failures: at(`${collection}?status=failed`),
    settings: at(`${collection}?view=settings`),
    document: at(`${document}?page=2`),
    details: at(`${document}?pane=details`),
    search: at(`/search?q=${encodeURIComponent('How high is the deposit?')}&ab=1&modeB=sparse`),
    evaluation: at('/evaluation?b=sparse'),
    chats: at('/chat'),
    chat: at(`/chat/${chatId}`),
    runs: at('/runs'),
    run: at(`/runs?id=${runId}`),
    'new-run': at('/runs?new=1'),
    connectors: at('/connectors'),
    'new-connector': at('/connectors?new=1'),
    configurations: at('/configurations'),
    'new-configuration': at('/configurations?kind=models&new=1'),
    webhooks: at('/webhooks'),
    'new-webhook': at('/webhooks?new=1'),
    delivery: at(`/webhooks?delivery=${demo.deliveryId}`),
    keys: at('/keys'),
    'new-key': at('/keys?new=key'),
    'new-token': at('/keys?new=token'),
    audit: at('/audit'),
    system: at('/system'),
    'system-root': at('/system', rootKey),
  };
}
