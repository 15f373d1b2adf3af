/** Verifies deliveries of webhooks. Works without a client and in any runtime with WebCrypto. */
import { QuireError } from './errors.ts';
import { fromBase64, fromHex, toBase64, utf8, verify } from './hmac.ts';

interface EventOf<Type extends string, Data> {
  /** The same for each attempt and redelivery: drop events whose id was processed before. */
  id: string;
  type: Type;
  createdAt: string;
  workspaceId: string;
  /** Ids, state, names and error; `truncated` is true if long fields were cut. */
  data: Data & { truncated?: true; [field: string]: unknown };
}

interface Failure {
  type: string;
  message: string;
}

interface DocumentFields {
  documentId: string;
  collectionId: string;
  name: string;
}

export type WebhookEvent =
  | EventOf<'process.completed', { runId: string; status: 'done' | 'failed'; files: string[]; error: Failure | null }>
  | EventOf<'document.ready', DocumentFields>
  | EventOf<'document.failed', DocumentFields & { error: Failure | null }>
  | EventOf<'connector.synced', object>
  | EventOf<'webhook.test', object>;

export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** Maximum age of a delivery in seconds, 300 by default; older ones are refused as replays. */
  toleranceSeconds?: number;
  /** Current time in milliseconds. */
  now?: () => number;
}

/** A delivery that is not from the service: `type` is `signature_missing`, `signature_invalid` or `too_old`. */
export class WebhookError extends QuireError {
  override name = 'WebhookError';
}

const PREFIX = 'whsec_';

/**
 * Returns the event of a delivery; throws a `WebhookError` if no signature of `secret` matches. Pass the body as it was
 * received, not parsed and serialised again. While a secret is rotated, pass the old and the new one.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const found = signaturesOf(headers, text);
  if (found.length === 0) refuse('signature_missing', 'the delivery has no signature');
  const { toleranceSeconds = 300, now = Date.now } = options;
  const isRecent = ({ timestamp }: Signed): boolean => Math.abs(now() / 1000 - timestamp) <= toleranceSeconds;
  const recent = found.filter(isRecent);
  if (recent.length === 0) refuse('too_old', `the delivery is not from the last ${toleranceSeconds} s`);
  for (const { content, signatures, keyOf } of recent)
    for (const signature of signatures)
      for (const each of secrets) {
        const key = keyOf(each);
        if (key !== undefined && (await verify(key, signature, utf8(content)))) return JSON.parse(text) as WebhookEvent;
      }
  return refuse('signature_invalid', 'no signature of the delivery matches the secret');
}

/** Returns a new secret for a webhook: 32 random bytes, accepted by verifiers of Standard Webhooks. */
export const createWebhookSecret = (): string => PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(32)));

type Bytes = Uint8Array<ArrayBuffer>;

interface Signed {
  timestamp: number;
  /** The text that is signed. */
  content: string;
  signatures: Bytes[];
  keyOf: (secret: string) => Bytes | undefined;
}

function signaturesOf(headers: WebhookHeaders, body: string): Signed[] {
  const found: Signed[] = [];
  const [id, time, standard] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((n) => read(headers, n));
  if (id !== undefined && time !== undefined && standard !== undefined) {
    const values = standard.split(' ').map((each) => each.split(',', 2));
    const signatures = decoded(values, fromBase64);
    found.push({ timestamp: Number(time), content: `${id}.${time}.${body}`, signatures, keyOf: standardKey });
  }
  const own = read(headers, 'x-service-signature')
    ?.split(',')
    .map((each) => each.trim().split('=', 2));
  if (own === undefined) return found;
  const t = own.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = decoded(own, fromHex);
  return [...found, { timestamp: Number(t), content: `${t}.${body}`, signatures, keyOf: utf8 }];
}

/** Returns the signatures of version 1. Other versions are not known, and what cannot be decoded matches nothing. */
const decoded = (values: readonly string[][], decode: (value: string) => Bytes | undefined): Bytes[] =>
  values
    .map(([version, value = '']) => (version === 'v1' ? decode(value) : undefined))
    .filter((each) => each !== undefined);

const standardKey = (secret: string): Bytes | undefined =>
  secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : utf8(secret);

/** Header names have any case, as records of Node servers are lower case and those of tests often are not. */
function read(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function refuse(type: string, message: string): never {
  throw new WebhookError(message, { type });
}
