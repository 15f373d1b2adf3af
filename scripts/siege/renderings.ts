/**
 * Load of renderings: documents with tables that span or widen without measure, and deeply nested lists. Each is
 * uploaded once; then its Markdown, HTML, blocks and chunks are requested together, and it is read by the MCP endpoint.
 * Bounded: `DOCUMENTS` files of at most 1 MB, `rounds` rounds of requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** A collection of the attacked service, with a key that may write to it. */
export interface RenderingsTarget {
  address: string;
  key: string;
  workspaceId: string;
  collectionId: string;
}

export interface RenderingsOptions {
  /** Rounds of requests for every rendering of every document. */
  rounds: number;
  /** Called when all documents are ready or failed. */
  onReady?: () => void;
  signal: AbortSignal;
}

/** One request of the load, or the reading of one document. */
export interface RenderingsRequest {
  document: string;
  what: string;
  status: number;
  bytes: number;
  ms: number;
}

interface HostileDocument {
  name: string;
  content: () => string;
}

const rows = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('');

/** The files of the load; each takes at most 1 MB. */
export const DOCUMENTS: readonly HostileDocument[] = [
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

const RENDERINGS = ['markdown', 'html', 'blocks', 'chunks', 'read_document'] as const;
const READY_MS = 180_000;

/** Uploads the documents and requests all their renderings together, in rounds. */
export async function renderings(target: RenderingsTarget, options: RenderingsOptions): Promise<RenderingsRequest[]> {
  const ids = await Promise.all(DOCUMENTS.map((document) => upload(target, document, options.signal)));
  const requests: RenderingsRequest[] = [];
  for (const [at, id] of ids.entries()) {
    const document = DOCUMENTS[at]?.name ?? '';
    const startedAt = performance.now();
    const status = await ready(target, id, options.signal);
    requests.push({ document, what: status, status: 0, bytes: 0, ms: performance.now() - startedAt });
  }
  options.onReady?.();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [at, id] of ids.entries()) {
      const document = DOCUMENTS[at]?.name ?? '';
      const answers = RENDERINGS.map(async (what) => ({
        document,
        what,
        ...(await ask(target, id, what, options.signal)),
      }));
      requests.push(...(await Promise.all(answers)));
    }
  }
  return requests;
}

const documentsUrl = ({ address, workspaceId, collectionId }: RenderingsTarget): string =>
  `${address}/v1/w/${workspaceId}/col/${collectionId}/docs`;

async function upload(
  target: RenderingsTarget,
  { name, content }: HostileDocument,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(`${documentsUrl(target)}/file-binary`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-disposition': `attachment; filename="${name}"` },
    body: content(),
    signal,
  });
  if (response.status !== 202) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

async function ready(target: RenderingsTarget, id: string, signal: AbortSignal): Promise<string> {
  const endsAt = Date.now() + READY_MS;
  while (Date.now() < endsAt) {
    const response = await fetch(`${documentsUrl(target)}/${id}`, {
      headers: { authorization: `Bearer ${target.key}` },
      signal,
    });
    const { data } = (await response.json()) as { data: { status: string; error: { type: string } | null } };
    if (data.status !== 'indexing') return data.error === null ? data.status : `${data.status}: ${data.error.type}`;
    await sleep(250, undefined, { signal });
  }
  return 'indexing';
}

async function ask(
  target: RenderingsTarget,
  id: string,
  what: (typeof RENDERINGS)[number],
  signal: AbortSignal,
): Promise<Pick<RenderingsRequest, 'status' | 'bytes' | 'ms'>> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${target.key}` };
  const url =
    what === 'blocks' ? `${documentsUrl(target)}/${id}?include=blocks` : `${documentsUrl(target)}/${id}/${what}`;
  const response = await (what === 'read_document'
    ? fetch(`${target.address}/v1/w/${target.workspaceId}/mcp`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_document', arguments: { id } },
        }),
        signal,
      })
    : fetch(url, { headers, signal }));
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += (piece as Uint8Array).length;
  return { status: response.status, bytes, ms: performance.now() - startedAt };
}
