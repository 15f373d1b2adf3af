/** Access tokens of OAuth 2: requested from the token endpoint, and kept until shortly before they expire. */
import { CredentialsRefused, SourceUnavailable } from '../../connector-error.ts';
import { readResponse, statusError, type HttpSource } from '../../http/http-source.ts';

/** Time before its end at which a token is replaced, in milliseconds. */
const MARGIN_MS = 60_000;

export class AccessToken {
  readonly #http: HttpSource;
  readonly #endpoint: string;
  /** Fields of the form; called for each request, as an assertion has a time. */
  readonly #form: () => Record<string, string>;
  #token = '';
  #expiresAt = 0;

  constructor(http: HttpSource, endpoint: string, form: () => Record<string, string>) {
    this.#http = http;
    this.#endpoint = endpoint;
    this.#form = form;
  }

  async get(signal: AbortSignal): Promise<string> {
    if (this.#token === '' || performance.now() > this.#expiresAt - MARGIN_MS) await this.#request(signal);
    return this.#token;
  }

  /** Drops a token that the service refused; a newer one is kept. */
  drop(token: string): void {
    if (token === this.#token) this.#token = '';
  }

  async #request(signal: AbortSignal): Promise<void> {
    const response = await this.#http.request({
      method: 'POST',
      url: this.#endpoint,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(this.#form()).toString(),
      signal,
    });
    const text = (await readResponse(response)).toString();
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      throw new CredentialsRefused(`the service refused the credentials: ${errorOf(text)} (HTTP ${response.status})`);
    }
    if (response.status !== 200) throw statusError(response);
    const { access_token: token, expires_in: seconds } = parsed(text);
    if (typeof token !== 'string') throw new SourceUnavailable('the service returned no access token');
    this.#token = token;
    this.#expiresAt = performance.now() + (typeof seconds === 'number' ? seconds : 300) * 1000;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new SourceUnavailable('the service returned no JSON', null, { cause: error });
  }
}

/** Returns the code of an error, which contains nothing of the request. */
function errorOf(text: string): string {
  const code = /"error"\s*:\s*"([\w.-]{1,60})"/.exec(text)?.[1];
  return code ?? 'unknown error';
}
