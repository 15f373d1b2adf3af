/** Connections of calls: opening one, and the limit of the time that this may take. */
import type { ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/** Ends a request whose connection is not established in time. A kept connection has no limit. */
export function limitConnecting(outgoing: ClientRequest, { protocol, host }: URL, connectMs: number): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = new OutboundError('timeout', `${host} did not accept a connection in time`);
    const timer = setTimeout(() => outgoing.destroy(late), connectMs);
    const settle = (): void => clearTimeout(timer);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', settle);
    socket.once('close', settle);
  });
}

/** Resolves to a connected socket. An error after that is the caller's to handle. */
export function opened(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const abort = (): void => void socket.destroy(new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', abort);
    socket.once('error', (error) => {
      settle();
      reject(error);
    });
    socket.once('connect', () => {
      settle();
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
