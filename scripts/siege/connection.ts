/** A connection to the service on which an attack writes any bytes. */
import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  socket: Socket;
  /** Resolves when the connection has closed, by either side. */
  closed: Promise<void>;
}

/** Opens a connection that reads nothing. It closes when the signal is aborted. */
export async function openConnection(url: string, signal: AbortSignal): Promise<RawConnection | undefined> {
  if (signal.aborted) return undefined;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  // All connections of the attacks listen to the same signal.
  setMaxListeners(0, signal);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop);
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  return isOpen ? { socket, closed } : undefined;
}

/** Resolves after the time, or when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
