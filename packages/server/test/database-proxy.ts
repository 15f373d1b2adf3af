/** A TCP proxy in front of PostgreSQL that fails on demand, for tests of lost and slow database connections. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';

/**
 * - `refuse`: nothing listens, and open connections are closed.
 * - `reset`: connections end with RST, open ones and new ones.
 * - `blackHole`: nothing is forwarded; connections stay open, also after the fault, without ever being served again.
 * - `slow`: each piece of an answer arrives 200 ms late.
 * - `cut`: each connection is reset in the middle of an answer, 20 bytes after its next piece begins.
 */
export const FAULTS = ['refuse', 'reset', 'blackHole', 'slow', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_MS = 200;
const CUT_AFTER_BYTES = 20;

export class DatabaseProxy {
  readonly #target: { path: string } | { host: string; port: number };
  readonly #clients = new Set<Socket>();
  #server: Server;
  #fault: Fault | undefined;
  #port = 0;
  /** Number of connections that a black hole has caught. */
  caught = 0;
  /** Number of commits to come whose connection is reset once the server has answered, before the client sees it. */
  commitsToLose = 0;

  private constructor(target: URL) {
    const port = Number(target.port === '' ? 5432 : target.port);
    const folder = target.searchParams.get('host');
    const isSocket = folder?.startsWith('/') === true;
    this.#target = isSocket
      ? { path: path.join(folder, `.s.PGSQL.${port}`) }
      : { host: folder ?? target.hostname, port };
    this.#server = this.#newServer();
  }

  static async start(connectionString: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(connectionString));
    await proxy.#listen();
    return proxy;
  }

  /** The connection string with the proxy's address in place of the server's. */
  through(connectionString: string): string {
    const url = new URL(connectionString);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.href;
  }

  /** Applies the fault until `recover`. */
  async fail(fault: Fault): Promise<void> {
    this.#fault = fault;
    if (fault !== 'refuse' && fault !== 'reset') return;
    for (const socket of this.#clients) socket.resetAndDestroy();
    if (fault === 'refuse') await this.#close();
  }

  async recover(): Promise<void> {
    const refused = this.#fault === 'refuse';
    this.#fault = undefined;
    if (refused) await this.#listen();
  }

  async close(): Promise<void> {
    for (const socket of this.#clients) socket.destroy();
    await this.#close();
  }

  async #listen(): Promise<void> {
    this.#server = this.#newServer();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #newServer(): Server {
    return createServer((client) => this.#serve(client));
  }

  #serve(client: Socket): void {
    this.#clients.add(client);
    client.on('error', () => undefined);
    client.once('close', () => this.#clients.delete(client));
    if (this.#fault === 'reset') {
      client.resetAndDestroy();
      return;
    }
    // A connection that was caught by a black hole is never served again, as after a lost route.
    let lost = false;
    const isLost = (): boolean => {
      if (!lost && this.#fault === 'blackHole') {
        lost = true;
        this.caught += 1;
      }
      return lost;
    };
    isLost();
    const upstream = connect(this.#target);
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => lost || client.destroy());
    client.once('close', () => lost || upstream.destroy());
    let losesCommit = false;
    client.on('data', (bytes) => {
      if (this.commitsToLose > 0 && bytes.includes('commit\0')) {
        losesCommit = true;
        this.commitsToLose -= 1;
      }
      if (!isLost()) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (losesCommit && bytes.includes('COMMIT\0')) client.resetAndDestroy();
      else if (!isLost()) this.#answer(client, bytes);
    });
  }

  #answer(client: Socket, bytes: Buffer): void {
    if (this.#fault === 'slow') {
      setTimeout(() => client.destroyed || client.write(bytes), SLOW_MS);
    } else if (this.#fault === 'cut') {
      client.write(bytes.subarray(0, CUT_AFTER_BYTES), () => client.resetAndDestroy());
    } else {
      client.write(bytes);
    }
  }
}
