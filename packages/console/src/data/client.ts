/** The client of the API that every screen uses. */
import { Quire, type Fetch } from '@quire/client';
import { expire } from '../session/session.ts';
import { noteConnection } from './connection.ts';

/** Path of the console, without a trailing slash; empty at the root of the host. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/+$/, '');
/** Address of the service: always the one that the page came from. */
export const serviceUrl = `${location.origin}${basePath}`;

/** Returns a client that reports refused keys and lost connections to the shell. */
export function clientFor(key: string): Quire {
  const observed: Fetch = async (url, init) => {
    try {
      const response = await fetch(url, init);
      noteConnection(true);
      if (response.status === 401) expire(key);
      return response;
    } catch (error) {
      if (init.signal?.aborted !== true) noteConnection(false);
      throw error;
    }
  };
  return new Quire({ url: serviceUrl, key, fetch: observed, retries: 2 });
}
