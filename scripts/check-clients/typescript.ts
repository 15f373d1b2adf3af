/** Two generators for TypeScript: `openapi-typescript` writes types, `@hey-api/openapi-ts` a client with functions. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DESCRIPTION, fetchGenerator, run, type Place } from './place.ts';

const GENERATORS = ['openapi-typescript@7.13.0', '@hey-api/openapi-ts@0.94.0', 'typescript@5.9.3'];
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const TYPES = `import type { components, paths } from './api.d.ts';
type Schemas = components['schemas'];
const filter: Schemas['DocumentFilter'] = {
  and: [{ status: 'ready' }, { 'metadata.year': { gte: 2025, in: [2025, 'a', null] } }],
  not: { name: { exists: true } },
};
export const search: Schemas['SearchCollectionRequest'] = { query: 'lease', filter, limit: 5 };
export const line: Schemas['DiffcpLine'] = { seq: 0, ops: [{ op: 'append', path: '/messages/1/parts/0/text', value: 'x' }] };
export const chat: Schemas['CreateChatRequest'] = { collection_id: '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e', title: 'Leases' };
type Answer = paths['/v1/w/{ws}/col/{col}/search']['post']['responses'][200]['content']['application/json'];
export const first = (answer: Answer): string | undefined => answer.data.hits[0]?.snippet;
`;

/** Uses the functions as they were generated, without a cast. */
const USE = `import assert from 'node:assert/strict';
import { formDataBodySerializer } from './client/client';
import { client } from './client/client.gen';
import {
  createChat, createCollection, createRun, getDocument, getRun, getRunOutput, searchCollection, sendMessage,
  uploadDocumentMultipart, whoami,
} from './client/sdk.gen';

client.setConfig({ baseUrl: process.env['QUIRE_URL'] ?? '', auth: process.env['QUIRE_KEY'] ?? '' });
const throwOnError = true;
const file = new File(['# Lock\\n\\nThe lock gate opens at nine.\\n'], 'lock.md', { type: 'text/markdown' });

const ws = (await whoami({ throwOnError })).data.data.workspaceId ?? '';
const collection = (await createCollection({ path: { ws }, body: { name: 'TypeScript' }, throwOnError })).data.data;
const col = collection.id;
const body = { file, name: 'gate.md', metadata: { year: 2026 } };
const uploaded = (await uploadDocumentMultipart({ path: { ws, col }, body, throwOnError })).data.data;
const place = { ws, col, doc_id: uploaded.id };
let document = uploaded;
while (document.status === 'indexing')
  document = (await getDocument({ path: place, query: { wait: 30 }, throwOnError })).data.data;
assert.equal(document.status, 'ready');
assert.equal(document.name, 'gate.md');
assert.deepEqual(document.metadata, { year: 2026 });

const query = 'When does the gate open?';
const filter = { 'metadata.year': { gte: 2026 } };
const { hits } = (await searchCollection({ path: { ws, col }, body: { query, filter, limit: 3 }, throwOnError })).data.data;
assert.equal(hits[0]?.documentId, document.id);

const chat = (await createChat({ path: { ws }, body: { collection_id: col }, throwOnError })).data.data;
const asked = { path: { ws, chat_id: chat.id }, body: { query, stream: false }, throwOnError } as const;
const answer = (await sendMessage(asked)).data;
assert.ok('data' in answer);
const message = answer.data.messages[1];
assert.equal(message?.status, 'done');
assert.match(message?.citations[0]?.snippet ?? '', /opens at nine/);

const form = { files: [file], parserConfig: { formats: ['markdown' as const] } };
// The operation also takes JSON, which this generator prefers.
const asForm = { ...formDataBodySerializer, headers: { 'Content-Type': null } };
let processed = (await createRun({ path: { ws }, body: form, ...asForm, throwOnError })).data.data;
while (processed.status === 'queued' || processed.status === 'running')
  processed = (await getRun({ path: { ws, run_id: processed.id }, query: { wait: 30 }, throwOnError })).data.data;
assert.equal(processed.status, 'done');
const [outcome] = processed.outcome?.files ?? [];
assert.equal(outcome?.name, 'lock.md');
const output = outcome?.parse?.markdown?.path ?? '';
const text = (await getRunOutput({ path: { ws, run_id: processed.id, path: output }, parseAs: 'text', throwOnError })).data;
assert.match(String(text), /^# Lock/);
`;

/** The client's modules have imports without an extension, as bundlers resolve them. */
const OPTIONS = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'.split(
  ' ',
);

export async function checkTypeScript(place: Place): Promise<string> {
  const { folder } = place;
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await fetchGenerator(place, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...GENERATORS]);
  writeFileSync(path.join(folder, 'types.ts'), TYPES);
  writeFileSync(path.join(folder, 'use.ts'), USE);
  await run(place, 'node', ['node_modules/openapi-typescript/bin/cli.js', DESCRIPTION, '--output', 'api.d.ts']);
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'];
  const generating = ['--input', DESCRIPTION, '--output', 'client', '--plugins', ...plugins];
  await run(place, 'node', ['node_modules/@hey-api/openapi-ts/bin/run.js', ...generating]);
  const compiler = path.join(MODULES, 'typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', path.join(MODULES, '@types'), '--allowImportingTsExtensions'];
  await run(place, 'node', [compiler, ...OPTIONS, ...types, 'types.ts', 'use.ts']);
  await run(place, 'node', ['--import', path.join(MODULES, 'tsx/dist/loader.mjs'), 'use.ts']);
  const lines = readFileSync(path.join(folder, 'api.d.ts'), 'utf8').split('\n').length;
  return `${lines} lines of types compile; the client uploaded, searched, chatted and ran`;
}
