/** Runs the commands of a user in a folder, with a Node version, as an account. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';

export interface Account {
  uid?: number;
  gid?: number;
}

export interface Place {
  /** Folder in which the commands run. */
  app: string;
  home: string;
  /** Folder with the program `node`, before all others of PATH. */
  bin: string;
  /** Folder of npm's cache. */
  cache: string;
  account: Account;
}

export interface Served {
  address: string;
  key: string;
  stop(): Promise<void>;
}

export class Shell {
  readonly #place: Place;
  readonly #times: string[] = [];

  constructor(place: Place) {
    this.#place = place;
  }

  /** Runs a command and throws unless it succeeds and prints the expected texts. */
  async step(
    name: string,
    command: readonly string[],
    { input = '', expected = [] }: { input?: string; expected?: readonly string[] },
  ): Promise<void> {
    const startedAt = performance.now();
    const child = this.#spawn(command);
    child.stdin?.end(input);
    const [out, err, [code]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'exit')]);
    const missing = expected.filter((each) => !out.includes(each));
    if (code !== 0 || missing.length > 0)
      throw new Error(`${command.join(' ')} exits with ${code}, misses ${JSON.stringify(missing)}:\n${out}\n${err}`);
    this.#took(name, startedAt);
  }

  /** Starts the service on a free port. */
  async serve(): Promise<Served> {
    const startedAt = performance.now();
    const child = this.#spawn(['npx', 'quire', 'serve'], { QUIRE_PORT: String(await freePort()) });
    const ended = once(child, 'exit').then(([code, signal]) => `${code ?? signal}`);
    let printed = '';
    const address = await new Promise<string>((resolve, reject) => {
      const take = (piece: Buffer): void => {
        printed += piece.toString();
        const found = /Quire is ready at (\S+)/.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout?.on('data', take);
      child.stderr?.on('data', take);
      void ended.then((code) => reject(new Error(`the service ended with ${code}: ${printed}`)));
    });
    this.#took('serve', startedAt);
    const keys = readFileSync(path.join(this.#place.app, 'data/first-keys.txt'), 'utf8');
    const key = /Workspace key[^:]*: +(\S+)/.exec(keys)?.[1] ?? '';
    // Ctrl-C in a terminal reaches npx, the command and the service alike.
    const stop = async (): Promise<void> => {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
      const isGone = await fetch(address).then(
        () => false,
        () => true,
      );
      if (!isGone) throw new Error(`the service runs on after Ctrl-C:\n${printed}`);
    };
    return { address, key, stop };
  }

  report(): string {
    return this.#times.join(', ');
  }

  #took(name: string, startedAt: number): void {
    this.#times.push(`${name} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }

  #spawn([program = '', ...args]: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const { app, home, bin, cache, account } = this.#place;
    // The user's own settings only: no variables of npm or of this process, but the machine's certificates.
    const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
    const own = { HOME: home, PATH: `${bin}${path.delimiter}${PATH}`, npm_config_cache: cache, NODE_EXTRA_CA_CERTS };
    return spawnWithParent(program, args, { cwd: app, env: { ...own, ...env }, detached: true, ...account });
  }
}

const read = async (stream: NodeJS.ReadableStream | null): Promise<string> => (stream === null ? '' : text(stream));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
