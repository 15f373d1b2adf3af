/**
 * Sends requests of tests by the client: the client must send exactly the given request, and must return the data, or
 * throw the error, of the answer.
 */
import { isDeepStrictEqual } from 'node:util';
import { Quire, QuireError } from '@quire/client';
import { CALLS, type Given } from './calls.ts';
import { operationOf, type Target } from './operations.ts';

export interface SentRequest {
  method: string;
  /** Address of the service. */
  address: string;
  /** Path with query. */
  url: string;
  key: string | null;
  headers: Record<string, string>;
  json: unknown;
}

/** Operations whose client calls have another form: streams, files, and runs with a key of the client's own. */
const OTHERWISE: ReadonlySet<string> = new Set([
  'sendMessage',
  'resumeMessage',
  'followEvents',
  'createRun',
  'addRunFile',
  'uploadDocumentMultipart',
  'uploadDocumentBinary',
  'replaceDocumentMultipart',
  'replaceDocumentBinary',
]);
/** Headers that the client sets itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'content-type']);
/** Bodies that the client sends although they are optional. */
const EMPTY_BODIES: ReadonlySet<string> = new Set(['createDocumentLinks', 'redeliverFailed']);

/** Query parameters without an option: those of complete URLs, another format, and boxes, which are numbers. */
const FOREIGN: ReadonlySet<string> = new Set(['expires', 'signature', 'format', 'box']);

/** Returns the target of a request that the client can send; undefined for all others. */
function targetOf({ method, url, headers, json }: SentRequest): Target | undefined {
  const target = operationOf(method, new URL(url, 'http://a').pathname);
  if (target === undefined || OTHERWISE.has(target.operation.operationId)) return undefined;
  if (Object.keys(headers).some((name) => OWN_HEADERS.has(name.toLowerCase()))) return undefined;
  // The client never sends a part of a path that leads upwards.
  if (target.ids.some((id) => id.split('/').includes('..'))) return undefined;
  const { operationId, query, takesBody } = target.operation;
  const names = [...new URL(url, 'http://a').searchParams.keys()];
  if (names.some((name) => !query.includes(name) || FOREIGN.has(name))) return undefined;
  if (json === undefined ? EMPTY_BODIES.has(operationId) : !takesBody) return undefined;
  return target;
}

/** Sends the request by the client and returns the answer; undefined if the client has no call for it. */
export async function sendThroughClient(request: SentRequest): Promise<Response | undefined> {
  const target = targetOf(request);
  const call = CALLS[target?.operation.operationId ?? ''];
  if (target === undefined || call === undefined) return undefined;
  let answer: Response | undefined;
  const root = new Quire({
    url: request.address,
    key: request.key ?? '',
    headers: request.headers,
    retries: 0,
    fetch: async (url, init) => {
      checkSent(request, url, init);
      const response = await fetch(url, init);
      answer = response.clone();
      return response;
    },
  });
  const quire = target.workspaceId === undefined ? root : root.workspace(target.workspaceId);
  const result = await outcomeOf(call(quire, givenBy(request, target)));
  if (answer === undefined) throw result.error;
  await checkOutcome(result, answer.clone());
  return answer;
}

function givenBy({ url, json }: SentRequest, { ids }: Target): Given {
  const query: Record<string, string | string[]> = {};
  const { searchParams } = new URL(url, 'http://a');
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return { ids, query: query as never, json: json as never };
}

/** Throws unless the client sends what the test means to send. */
function checkSent(expected: SentRequest, url: string, init: RequestInit): void {
  const [wanted, sent] = [new URL(expected.address + expected.url), new URL(url)];
  wanted.searchParams.sort();
  sent.searchParams.sort();
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
  const wantedBody = expected.json === undefined ? undefined : (JSON.parse(JSON.stringify(expected.json)) as unknown);
  const isSame = wanted.href === sent.href && init.method === expected.method && isDeepStrictEqual(body, wantedBody);
  if (isSame) return;
  const shown = [init.method, sent.href, JSON.stringify(body)].join(' ');
  throw new Error(`the client sends ${shown} for ${expected.method} ${wanted.href} ${JSON.stringify(wantedBody)}`);
}

/** The value of a call, or its error, which is not undefined. */
interface Outcome {
  value?: unknown;
  error?: unknown;
}

const outcomeOf = (call: Promise<unknown>): Promise<Outcome> =>
  call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Throws unless the client's result is the content of the answer. */
async function checkOutcome(outcome: Outcome, answer: Response): Promise<void> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const body = (isJson ? JSON.parse(text) : {}) as { data?: unknown; detail?: unknown };
  if (outcome.error !== undefined) {
    const { error } = outcome;
    if (!(error instanceof QuireError)) throw error;
    const fields = [error.status, error.detail, error.requestId];
    const wanted = [answer.status, body.detail ?? [], answer.headers.get('x-request-id') ?? undefined];
    if (!isDeepStrictEqual(fields, wanted))
      throw new Error(`the client's error differs from ${text}`, { cause: error });
    return;
  }
  const { value } = outcome;
  if (!answer.ok) throw new Error(`the client returns a value for the status ${answer.status}`);
  const content = value instanceof Response || value instanceof Blob ? await value.text() : value;
  if (!isDeepStrictEqual(content, isJson ? body.data : text))
    throw new Error(`the client's value differs from ${text}`);
}
