import type { CallOptions, TestAnswer, TestService } from '../server.ts';

/** Number of answers 503 to a read after which the service counts as down. */
const MAX_UNAVAILABLE = 30;
const RETRY_MS = 1000;

/**
 * Sends a request and throws unless it is accepted. A read is repeated while the service answers 503, as the database
 * of a loaded machine may be late; the client of users does the same.
 */
export async function steadyCall<T>(
  service: TestService,
  method: string,
  url: string,
  options: CallOptions,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer: TestAnswer<T> = await service.call<T>(method, url, options);
    if (answer.status < 300) return answer.data;
    const again = method === 'GET' && answer.status === 503 && tries < MAX_UNAVAILABLE;
    if (!again) throw new Error(`${method} ${url}: ${answer.status} ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
