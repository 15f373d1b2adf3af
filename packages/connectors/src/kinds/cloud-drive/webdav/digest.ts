/** Authorization by Basic and by Digest (RFC 7616). */
import { createHash, randomBytes } from 'node:crypto';

export interface Credentials {
  username: string;
  password: string;
}

interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  algorithm: 'MD5' | 'SHA-256';
  hasSession: boolean;
  hasQop: boolean;
}

const PARAMETER = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.){0,2000})"|([^\s,"]{1,2000}))/gi;

function challengeOf(header: string): Challenge | null {
  const start = /\bdigest\s+/i.exec(header);
  if (start === null) return null;
  const fields = new Map<string, string>();
  for (const [, name = '', quoted, plain] of header.slice(start.index + start[0].length).matchAll(PARAMETER)) {
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), quoted ?? plain ?? '');
  }
  const algorithm = (fields.get('algorithm') ?? 'MD5').toUpperCase();
  const name = algorithm.replace(/-SESS$/, '');
  if (name !== 'MD5' && name !== 'SHA-256') return null;
  const nonce = fields.get('nonce');
  if (nonce === undefined) return null;
  return {
    realm: fields.get('realm') ?? '',
    nonce,
    opaque: fields.get('opaque') ?? null,
    algorithm: name,
    hasSession: algorithm.endsWith('-SESS'),
    hasQop: (fields.get('qop') ?? '').split(/[\s,]+/).includes('auth'),
  };
}

export class Authorization {
  readonly #credentials: Credentials;
  #challenge: Challenge | 'basic' | null = null;
  #count = 0;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /**
   * Takes over the challenge of a 401 and returns whether it is a reason to repeat the request: it was sent without an
   * authorization, or there is a new nonce in place of one that is stale. Digest has precedence, as it does not reveal
   * the password.
   */
  accept(header: string | undefined, wasWithout = this.#challenge === null): boolean {
    const text = header ?? '';
    const digest = challengeOf(text);
    if (digest !== null) {
      this.#challenge = digest;
      this.#count = 0;
      return wasWithout || /\bstale\s*=\s*"?true/i.test(text);
    }
    if (!/\bbasic\b/i.test(text)) return false;
    this.#challenge = 'basic';
    return wasWithout;
  }

  /** Returns the header for a request; undefined before the first challenge. */
  header(method: string, url: string): string | undefined {
    const { username, password } = this.#credentials;
    if (this.#challenge === null) return undefined;
    if (this.#challenge === 'basic') return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    return this.#digest(this.#challenge, method, new URL(url));
  }

  #digest(challenge: Challenge, method: string, { pathname, search }: URL): string {
    const { realm, nonce, opaque, algorithm, hasSession, hasQop } = challenge;
    const { username, password } = this.#credentials;
    const name = algorithm === 'MD5' ? 'md5' : 'sha256';
    const hash = (text: string): string => createHash(name).update(text).digest('hex');
    const uri = `${pathname}${search}`;
    const cnonce = randomBytes(12).toString('hex');
    this.#count += 1;
    const count = this.#count.toString(16).padStart(8, '0');
    const user = hash(`${username}:${realm}:${password}`);
    const secret = hasSession ? hash(`${user}:${nonce}:${cnonce}`) : user;
    const request = hash(`${method}:${uri}`);
    const response = hash(
      hasQop ? `${secret}:${nonce}:${count}:${cnonce}:auth:${request}` : `${secret}:${nonce}:${request}`,
    );
    const quoted = { username, realm, nonce, uri, response, ...(opaque === null ? {} : { opaque }) };
    const plain = { algorithm: hasSession ? `${algorithm}-sess` : algorithm };
    const proof = hasQop ? `, qop=auth, nc=${count}, cnonce="${cnonce}"` : hasSession ? `, cnonce="${cnonce}"` : '';
    const fields = Object.entries(quoted).map(([key, value]) => `${key}="${value.replaceAll(/["\\]/g, '\\$&')}"`);
    return `Digest ${fields.join(', ')}, algorithm=${plain.algorithm}${proof}`;
  }
}
