/** A workspace of the load: sends requests with its own key, and keeps the ids in all answers. */
import type { System } from './system.ts';

/** The parts of the system that a workspace needs. */
type Served = Pick<System, 'service' | 'options'>;

const REQUEST_LIMIT_MS = 60_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An answer with another status than 2xx. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export class Workspace {
  readonly url: string;
  readonly key: string;
  /** Every id in the bodies of its answers, of errors too. */
  readonly seen = new Set<string>();
  readonly #system: Served;

  private constructor(system: Served, url: string, key: string) {
    this.#system = system;
    this.url = url;
    this.key = key;
  }

  static async create(system: Served, name: string): Promise<Workspace> {
    const { id } = await system.service.request<{ id: string }>('POST', '/workspaces', { name });
    const wanted = { name, permission: 'admin' };
    const { key } = await system.service.request<{ key: string }>('POST', `/w/${id}/keys`, wanted);
    return new Workspace(system, `/w/${id}`, key);
  }

  /** Whether one process answers requests and another one processes documents. */
  get isSplit(): boolean {
    return this.#system.options.isSplit;
  }

  get address(): string {
    return this.#system.service.address;
  }

  async request<T>(method: string, url: string, body?: unknown): Promise<T> {
    const json = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(`${this.address}/v1${this.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${this.key}` },
      ...(json === undefined ? {} : { body: json }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const text = await response.text();
    // The id of a request may be in an error; it belongs to no resource.
    const requestId = response.headers.get('x-request-id') ?? '';
    for (const [id] of text.replaceAll(requestId, '').matchAll(UUID)) this.seen.add(id);
    if (!response.ok) throw new Refused(response.status, `${method} ${url}: ${response.status} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }
}

/** Returns a broken promise for each id that both workspaces have seen. */
export const sharedIds = (one: Workspace, other: Workspace): string[] =>
  [...one.seen].filter((id) => other.seen.has(id)).map((id) => `${id}: in answers to two workspaces`);
