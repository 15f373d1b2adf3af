/** Requests to a REST service with access tokens; a token that has expired is replaced once. */
import { SourceUnavailable } from '../../connector-error.ts';
import { readResponse, type HttpSource, type SourceRequest, type SourceResponse } from '../../http/http-source.ts';
import type { AccessToken } from './access-token.ts';

export interface RestError {
  status: number;
  /** Reason or code that the service names. */
  reason: string;
  message: string;
  headers: SourceResponse['headers'];
}

export type RestAnswer = { response: SourceResponse } | { error: RestError };

export class RestClient {
  readonly #http: HttpSource;
  readonly #token: AccessToken;

  constructor(http: HttpSource, token: AccessToken) {
    this.#http = http;
    this.#token = token;
  }

  /** Follows redirects: files are served by other hosts, which get no token. */
  get(url: string, signal: AbortSignal, maxBytes?: number): Promise<RestAnswer> {
    return this.#send({ url, signal, maxRedirects: 3, ...(maxBytes === undefined ? {} : { maxBytes }) });
  }

  post(url: string, json: object, signal: AbortSignal): Promise<RestAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.#send({ method: 'POST', url, headers, body: JSON.stringify(json), signal });
  }

  async #send(request: SourceRequest): Promise<RestAnswer> {
    const answer = await this.#sendOnce(request);
    return 'error' in answer && answer.error.status === 401 ? this.#sendOnce(request) : answer;
  }

  async #sendOnce(request: SourceRequest): Promise<RestAnswer> {
    const token = await this.#token.get(request.signal);
    const authorization = `Bearer ${token}`;
    const response = await this.#http.request({
      ...request,
      headers: { accept: '*/*', ...request.headers, authorization },
    });
    if (response.status === 200) return { response };
    const { status, headers } = response;
    const text = (await readResponse(response)).toString();
    if (status === 401) this.#token.drop(token);
    return { error: { status, headers, ...reasonOf(text) } };
  }
}

/** Reads the errors of Google and of Microsoft. */
function reasonOf(text: string): { reason: string; message: string } {
  try {
    const { error } = JSON.parse(text) as {
      error?: { code?: string | number; message?: unknown; errors?: { reason?: string }[] };
    };
    const reason = error?.errors?.[0]?.reason ?? error?.code ?? '';
    return {
      reason: String(reason),
      message: typeof error?.message === 'string' ? error.message : '',
    };
  } catch {
    return { reason: '', message: '' };
  }
}

export async function readJson<T>(response: SourceResponse): Promise<T> {
  const text = (await readResponse(response)).toString();
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new SourceUnavailable('the service returned no JSON', null, { cause: error });
  }
}

export const describeError = ({ status, reason, message }: RestError): string =>
  `${reason === '' ? 'the service answered' : reason}${message === '' ? '' : `: ${message}`} (HTTP ${status})`;
