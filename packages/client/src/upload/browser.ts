/** Uploads with progress in browsers, whose `fetch` does not report what was sent. */
import { onAbort } from '../abort.ts';
import type { Fetch, Request } from '../transport.ts';
import type { OnProgress } from './progress.ts';

/** Whether this is a browser: elsewhere a body is a stream whose pieces are counted. */
export const isBrowser = (): boolean => typeof XMLHttpRequest === 'function';

/** Returns the `send` of a request that reports its progress by `XMLHttpRequest`; empty outside of browsers. */
export function sendWithProgress(onProgress: OnProgress | undefined, totalBytes: number | undefined): Partial<Request> {
  if (onProgress === undefined || !isBrowser()) return {};
  return { send: (url, init) => sendByXhr(url, init, onProgress, totalBytes) };
}

function sendByXhr(
  url: string,
  init: Parameters<Fetch>[1],
  onProgress: OnProgress,
  totalBytes: number | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'POST', url);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries(init.headers as Record<string, string>))
      request.setRequestHeader(name, value);
    // The form around a file adds some bytes, which are left out.
    request.upload.addEventListener('progress', ({ loaded }) =>
      onProgress({ sentBytes: Math.min(loaded, totalBytes ?? loaded), totalBytes }),
    );
    request.addEventListener('load', () => resolve(asResponse(request)));
    request.addEventListener('error', () => reject(new TypeError('network error')));
    request.send(init.body as XMLHttpRequestBodyInit);
    const ignore = onAbort(init.signal, (reason) => {
      request.abort();
      reject(reason);
    });
    request.addEventListener('loadend', ignore);
  });
}

function asResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  return new Response(request.response as Blob, { status: request.status, statusText: request.statusText, headers });
}
