/** For each limit of inputs, a request with a value of a given size: at least one for each name of the table. */
import { randomUUID } from 'node:crypto';
import type { InputLimitName } from '@quire/shared/input-limits';
import {
  chat,
  collection,
  connector,
  connectorBody,
  document,
  form,
  operation,
  raw,
  run,
  send,
  sendText,
  service,
  ws,
  type Outcome,
} from './library.ts';

type Probe = (size: number) => Promise<Outcome>;

const text = (size: number): string => 'x'.repeat(size);
const list = <T>(size: number, item: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => item(index));
const search = (fields: Record<string, unknown>) => send('POST', `${collection.url}/search`, { query: 'a', ...fields });
const filtered = (filter: unknown) => search({ filter });
const connect = (fields: Record<string, unknown>) => send('POST', `${ws}/connectors`, connectorBody(fields));
const classify = (taxonomy: unknown) => run({ classificationConfig: { taxonomy } });
const labels = (size: number) => list(size, (index) => ({ id: `${index}`, label: 'a' }));
export const nested = (levels: number, innermost: unknown, wrap: (inner: unknown) => unknown): unknown =>
  list(levels - 1, () => 0).reduce<unknown>(wrap, innermost);
/** The object with a text that fills its JSON up to the size. */
export const filled = (size: number, value: object, name: string): object => ({
  ...value,
  [name]: text(size - JSON.stringify({ ...value, [name]: '' }).length),
});

export const PROBES: Record<InputLimitName, Probe> = {
  name: (size) => send('POST', `${ws}/col`, { name: text(size) }),
  documentName: (size) => raw({ name: `${text(size - 3)}.md` }),
  contentType: (size) => raw({ contentType: `text/markdown; a=${text(size - 17)}` }),
  description: (size) => send('POST', `${ws}/col`, { name: 'c', description: text(size) }),
  instructions: (size) => send('PATCH', chat.url, { instructions: text(size) }),
  query: (size) => search({ query: text(size) }),
  nameSearch: (size) => send('GET', `${collection.url}/docs?name=${text(size)}`),
  sourcePath: (size) => send('GET', `${connector}/items?path=${text(size)}`),
  auditFilter: (size) => send('GET', `${ws}/audit?action=${text(size)}`),
  auditResourceId: (size) => send('GET', `${ws}/audit?resourceId=${text(size)}`),
  glob: (size) => connect({ include: [text(size)] }),
  schedule: (size) => connect({ schedule: `00${',0'.repeat((size - 10) / 2)}${size % 2 === 0 ? '' : ' '} * * * *` }),
  signingSecret: (size) =>
    send('POST', `${ws}/webhooks`, {
      name: 'w',
      url: 'https://w.invalid',
      signingSecret: text(size),
      events: ['document.ready'],
    }),
  idempotencyKey: (size) => send('POST', `${ws}/process?staged=true&idempotency_key=${text(size)}`, {}),
  label: (size) => classify([{ id: 'a', label: text(size) }]),
  editText: (size) => operation({ type: 'replaceText', find: 'a', replace: text(size) }),
  editPattern: (size) => operation({ type: 'replacePattern', pattern: text(size), replace: 'a' }),
  editName: (size) => operation({ type: 'setCell', sheet: text(size), cell: 'A1', value: 1 }),
  cellFormula: (size) => operation({ type: 'setCell', cell: 'A1', formula: text(size) }),
  documentIds: (size) => send('POST', `${collection.url}/docs/delete`, { documentIds: list(size, () => randomUUID()) }),
  keyCollections: (size) =>
    send('POST', `${ws}/keys`, { name: 'k', permission: 'read', collectionIds: list(size, () => collection.id) }),
  searchCollections: (size) =>
    send('POST', `${ws}/search`, { query: 'a', collectionIds: list(size, () => collection.id) }),
  globs: (size) => connect({ exclude: list(size, () => 'a') }),
  pageBoxes: (size) => send('GET', `${document.url}/pages/1?${list(size, () => 'box=0,0,1,1').join('&')}`),
  editOperations: (size) =>
    run({ editConfig: { operations: list(size, () => ({ type: 'replaceText', find: 'a', replace: 'b' })) } }),
  placeholderRows: (size) => operation({ type: 'fillPlaceholders', values: { rows: list(size, () => ({ a: 1 })) } }),
  redactTexts: (size) => operation({ type: 'redact', texts: list(size, () => 'a') }),
  redactPatterns: (size) => operation({ type: 'redact', patterns: list(size, () => 'a') }),
  redactBoxes: (size) => operation({ type: 'redact', boxes: list(size, () => ({ page: 1, bbox: [0, 0, 1, 1] })) }),
  pageOrder: (size) => operation({ type: 'reorderPages', order: list(size, (index) => index + 1) }),
  jsonLevels: (size) => sendText('POST', `${ws}/col`, '['.repeat(size) + ']'.repeat(size)),
  jsonValues: (size) =>
    send(
      'POST',
      `${ws}/col`,
      list(size - 1, () => 0),
    ),
  fieldName: (size) => raw({ metadata: { [text(size)]: 1 } }),
  metadata: (size) => raw({ metadata: filled(size, {}, 'text') }),
  filter: (size) => filtered(filled(size, {}, 'name')),
  connectorConfig: (size) => connect({ config: filled(size, { protocol: 'ftps' }, 'host') }),
  jsonSchema: (size) => run({ extractionConfig: { jsonSchema: filled(size, { type: 'object' }, 'description') } }),
  fieldPath: (size) => raw({ metadata: nested(size, { a: 1 }, (inner) => ({ a: inner })) }),
  filterLevels: (size) => filtered(nested(size, { name: 'a' }, (not) => ({ not }))),
  taxonomyLevels: (size) =>
    classify([nested(size, { id: 'a', label: 'a' }, (inner) => ({ id: 'a', label: 'a', children: [inner] }))]),
  filterClauses: (size) => filtered({ or: list(size, (index) => ({ 'metadata.a': index })) }),
  filterListValues: (size) => filtered({ 'metadata.a': { in: list(size, (index) => index) } }),
  filterValues: (size) =>
    filtered({ or: list(11, (part) => ({ 'metadata.a': { in: list(Math.min(1000, size - part * 1000), () => 1) } })) }),
  taxonomyLabels: (size) => classify(labels(size)),
  editPatterns: (size) =>
    run({
      editConfig: {
        operations: list(3, (part) => ({
          type: 'redact',
          patterns: list(Math.min(100, size - part * 100), () => 'a'),
        })),
      },
    }),
  // The file is one of the parts.
  formParts: (size) => form(list(size - 1, () => ['metadata', '{}'])),
  formField: (size) => form([['name', text(size)]]),
  mcpMessages: async (size) => {
    const json = list(size, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const { status, detail = [] } = await service.call('POST', `${ws}/mcp`, { json, headers });
    return { status, detail };
  },
};
