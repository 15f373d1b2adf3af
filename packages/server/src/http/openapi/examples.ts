/** Examples of requests, written by hand for each operation, and of answers, made from the examples of their fields. */
import type { JsonSchema } from './schemas.ts';

/** An identifier in examples. */
export const EXAMPLE_ID = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';

/** Bodies that the operations accept; a test validates each against its schema. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  createWorkspace: { name: 'Contracts' },
  updateWorkspace: { name: 'Contracts 2026' },
  createKey: {
    name: 'Web application',
    permission: 'write',
    collectionIds: [EXAMPLE_ID],
    expiresAt: '2027-01-01T00:00:00.000Z',
  },
  createCollection: {
    name: 'Leases',
    description: 'Signed leases since 2019',
    chunking: { maxTokens: 320, overlapTokens: 0 },
  },
  updateCollection: { name: 'Leases (archive)', metadata: { owner: 'legal' } },
  createModel: {
    name: 'Local server',
    config: { provider: 'provider_a', model: 'qwen3', baseUrl: 'https://llm.example/v1' },
  },
  updateModel: { config: { temperature: 0.2, maxConcurrency: null } },
  createEmbedder: { name: 'Local', config: { provider: 'local', model: 'default' } },
  updateEmbedder: { name: 'Local embeddings', isDefault: true },
  createParser: { name: 'Scans', config: { provider: 'service', ocr: 'always', languages: ['eng'] } },
  updateParser: { config: { ocr: 'auto' } },
  createWebhook: {
    name: 'Back office',
    url: 'https://hooks.example/quire',
    signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    events: ['document.ready', 'document.failed'],
  },
  updateWebhook: { events: ['process.completed'], status: 'active' },
  createConnector: {
    collectionId: EXAMPLE_ID,
    name: 'Contracts on the file server',
    kind: 'ftp',
    config: { protocol: 'sftp', host: 'files.example.com', username: 'quire', password: 'of the example' },
    schedule: '0 * * * *',
    exclude: ['**/drafts/**'],
  },
  updateConnector: { paused: true },
  redeliverFailed: { event: 'document.ready', since: '2026-05-04T00:00:00.000Z' },
  uploadDocumentRaw: {
    name: 'note.md',
    content: '# Meeting\n\nThe lease ends in May.',
    contentType: 'text/markdown',
    metadata: { year: 2026 },
  },
  replaceDocumentRaw: {
    name: 'note.md',
    content: '# Meeting\n\nThe lease ends in June.',
    contentType: 'text/markdown',
  },
  updateDocument: { metadata: { year: 2026, draft: null } },
  deleteDocuments: { filter: { 'metadata.year': { lt: 2020 } } },
  retryDocuments: { filter: { 'metadata.year': 2025 } },
  createDocumentLinks: { expiresInSeconds: 600 },
  searchCollection: {
    query: 'when does the lease end?',
    limit: 5,
    filter: { 'metadata.year': { gte: 2025 } },
    highlight: true,
  },
  createChat: { title: 'Leases', collection_id: EXAMPLE_ID, filter: { 'metadata.year': { gte: 2025 } } },
  updateChat: { title: 'Leases of 2026', metadata: { user: 'u-17' } },
  sendMessage: { query: 'When does the lease end?', stream: false },
  createRun: { parserConfig: { provider: 'service', formats: ['markdown'] }, summaryConfig: { length: 'short' } },
  searchCollections: { query: 'when does the lease end?', limit: 5 },
};

/** Returns a value of the schema's shape, made of the examples of its fields; required fields only. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return exampleOf(components[reference.replace('#/components/schemas/', '')] ?? {}, components);
  }
  if (Array.isArray(schema['examples'])) return (schema['examples'] as unknown[])[0];
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) {
    const branches: JsonSchema[] = choices;
    return branches.some((each) => each['type'] === 'null') ? null : exampleOf(branches[0] ?? {}, components);
  }
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('const' in schema) return schema['const'];
  return byType(schema, components);
}

function byType(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  switch (schema['type']) {
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
      const required = new Set((schema['required'] ?? []) as string[]);
      const shown = properties.filter(([key]) => required.has(key));
      return Object.fromEntries(shown.map(([key, member]) => [key, exampleOf(member, components)]));
    }
    case 'array':
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
        exampleOf((schema['items'] ?? {}) as JsonSchema, components),
      );
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' && schema['minimum'] > 0 ? schema['minimum'] : 0;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}
