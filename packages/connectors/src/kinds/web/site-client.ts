/** Requests to the hosts of a crawl: robots.txt, the pace of each host, and headers for the own origins only. */
import robotsParser, { type Robot } from 'robots-parser';
import { SourceUnavailable } from '../../connector-error.ts';
import { HttpSource, readResponse, type SourceResponse } from '../../http/http-source.ts';
import { statusError } from '../../http/http-source.ts';
import type { ConnectorContext } from '../../connector.ts';
import type { WebConfig } from './config.ts';
import type { UrlScope } from './url-rules.ts';

const MAX_ROBOTS_BYTES = 500 * 1024;
/** Maximum delay between two requests that robots.txt may demand, in seconds. */
const MAX_CRAWL_DELAY_S = 60;

/** The declaration of the package does not show that its default export is a function. */
const parseRobots = robotsParser as unknown as (url: string, text: string) => Robot;

interface Host {
  robots: Robot;
  /** Minimum time between two requests, in milliseconds. */
  intervalMs: number;
  /** Time of the next request, in milliseconds of the monotonic clock. */
  nextAt: number;
}

export class SiteClient {
  readonly #http: HttpSource;
  readonly #config: WebConfig;
  readonly #scope: UrlScope;
  readonly #hosts = new Map<string, Promise<Host>>();

  constructor(config: WebConfig, scope: UrlScope, context: ConnectorContext) {
    this.#config = config;
    this.#scope = scope;
    this.#http = new HttpSource(context.outbound);
  }

  async mayRead(url: URL, signal: AbortSignal): Promise<boolean> {
    const { robots } = await this.#host(url, signal);
    return robots.isAllowed(url.href, this.#config.userAgent) !== false;
  }

  /** Sends a request when the host is due. Redirects are not followed. */
  async get(
    url: URL,
    maxBytes: number,
    signal: AbortSignal,
    validators: Record<string, string> = {},
  ): Promise<SourceResponse> {
    await this.#turn(await this.#host(url, signal), signal);
    return this.#http.request({ url: url.href, headers: { ...this.#headers(url), ...validators }, maxBytes, signal });
  }

  #headers(url: URL): Record<string, string> {
    const own = this.#scope.isOwnOrigin(url) ? this.#config.headers : {};
    return { ...own, 'user-agent': this.#config.userAgent };
  }

  async #turn(host: Host, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, host.nextAt);
    host.nextAt = at + host.intervalMs;
    if (at > now) await delay(at - now, signal);
  }

  async #host(url: URL, signal: AbortSignal): Promise<Host> {
    const existing = this.#hosts.get(url.origin);
    if (existing !== undefined) return existing;
    const loading = this.#readRobots(url, signal);
    this.#hosts.set(url.origin, loading);
    loading.catch(() => this.#hosts.delete(url.origin));
    return loading;
  }

  /** Reads robots.txt. Without one everything is allowed; if it cannot be read, nothing is known about the host. */
  async #readRobots({ origin }: URL, signal: AbortSignal): Promise<Host> {
    const robotsUrl = new URL('/robots.txt', origin);
    const headers = this.#headers(robotsUrl);
    const response = await this.#http.request({
      url: robotsUrl.href,
      headers,
      maxBytes: MAX_ROBOTS_BYTES,
      maxRedirects: 5,
      signal,
    });
    const { status } = response;
    if (status === 429 || status >= 500) {
      response.cancel();
      const error = statusError(response);
      if (!(error instanceof SourceUnavailable)) throw error;
      throw new SourceUnavailable(`robots.txt of ${robotsUrl.host} cannot be read: HTTP ${status}`, error.retryAfterMs);
    }
    const text = (await readResponse(response)).toString();
    const robots = parseRobots(robotsUrl.href, status >= 200 && status < 300 ? text : '');
    const { userAgent, requestsPerSecond } = this.#config;
    const crawlDelay = Math.min(robots.getCrawlDelay(userAgent) ?? 0, MAX_CRAWL_DELAY_S);
    return { robots, intervalMs: Math.max(1000 / requestsPerSecond, crawlDelay * 1000), nextAt: 0 };
  }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
