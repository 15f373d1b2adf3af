/**
 * Documents whose tables span, repeat or widen without measure, and deeply nested lists. Each is uploaded once; then
 * clients request its Markdown, HTML, blocks and chunks at once, and read it by the MCP endpoint.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from '../attack.ts';

interface HostileDocument {
  name: string;
  content: () => string;
}

const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('');

/** Each takes at most 1 MB. */
const DOCUMENTS: readonly HostileDocument[] = [
  {
    name: 'wide-spans.html',
    content: () => `<table>${rows(23_000, (at) => `<tr><td colspan=1000>${at}</td></tr>`)}</table>`,
  },
  {
    name: 'tall-spans.html',
    content: () =>
      `<table><tr>${rows(1000, (at) => `<td rowspan=65534>${at}`)}</tr>${rows(20_000, (at) => `<tr><td>${at}</tr>`)}</table>`,
  },
  {
    name: 'crossed-spans.html',
    content: () =>
      `<table>${rows(5_000, (at) => `<tr><td colspan=1000>row ${at}</tr>`)}<tr>${rows(1000, (at) => `<td>${at}`)}</tr></table>`,
  },
  { name: 'columns.csv', content: () => `${rows(500_000, (at) => `${at % 10},`)}0\n1,2\n` },
  { name: 'lines.txt', content: () => rows(500_000, () => 'a\n') },
  { name: 'lines.md', content: () => rows(300_000, () => 'a\n\n') },
  {
    name: 'ragged.json',
    content: () => `[${rows(60_000, (at) => `${at === 0 ? '' : ','}{"k${at % 97}":${at % 7}}`)}]`,
  },
  { name: 'nested.html', content: () => `${'<ul><li>a'.repeat(39)}${rows(60_000, (at) => `<p>${at % 10}`)}` },
];

const RENDERINGS = ['markdown', 'html', 'chunks'] as const;

async function run(target: Target): Promise<void> {
  const { signal } = target;
  const ids = (await Promise.all(DOCUMENTS.map((document) => upload(target, document)))).filter(
    (id) => id !== undefined,
  );
  while (!signal.aborted && ids.length > 0) {
    for (const id of ids) {
      if (!signal.aborted) await askAll(target, id);
    }
    // Documents that are still being read answer at once.
    await sleep(250);
  }
}

async function upload(target: Target, { name, content }: HostileDocument): Promise<string | undefined> {
  const answer = await target.send('POST', `${documentsOf(target)}/file-binary`, {
    key: target.keys.write,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
    body: content(),
  });
  return answer?.status === 202 ? (JSON.parse(answer.text) as { data: { id: string } }).data.id : undefined;
}

async function askAll(target: Target, id: string): Promise<void> {
  const { send, keys, workspace } = target;
  const path = `${documentsOf(target)}/${id}`;
  const call = { name: 'read_document', arguments: { id } };
  await Promise.all([
    ...RENDERINGS.map((rendering) => send('GET', `${path}/${rendering}`, { key: keys.read })),
    send('GET', `${path}?include=blocks`, { key: keys.read }),
    send('POST', `/v1/w/${workspace}/mcp`, {
      key: keys.read,
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    }),
  ]);
}

const documentsOf = ({ workspace, collection }: Target): string => `/v1/w/${workspace}/col/${collection}/docs`;

export const attack: Attack = { name: 'renderings', fault: 'F6', run };
