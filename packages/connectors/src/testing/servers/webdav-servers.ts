/** Servers of WebDAV over a folder: wsgidav and rclone. Only imported by tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startProgram } from '../programs.ts';

/** Account of both servers. */
export const WEBDAV_USER = { username: 'tester', password: 'a "secret"' };

export interface WebdavServer {
  port: number;
  /** Folder that is served at `/`. */
  root: string;
  stop(): Promise<void>;
}

async function serve(
  name: string,
  program: string,
  argsOf: (root: string, port: number, folder: string) => string[],
): Promise<WebdavServer> {
  const folder = mkdtempSync(path.join(tmpdir(), `quire-${name}-`));
  const root = path.join(folder, 'files');
  mkdirSync(root);
  const port = await freePort();
  const running = await startProgram(program, argsOf(root, port, folder), port);
  return {
    port,
    root,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With Digest authentication. */
export const startWsgidav = (program: string): Promise<WebdavServer> =>
  serve('wsgidav', program, (root, port, folder) => {
    const { username, password } = WEBDAV_USER;
    const settings = {
      host: '127.0.0.1',
      port,
      provider_mapping: { '/': root },
      simple_dc: { user_mapping: { '*': { [username]: { password } } } },
      http_authenticator: { accept_basic: false, accept_digest: true, default_to_digest: true },
      logging: { enable: false },
    };
    const config = path.join(folder, 'wsgidav.json');
    writeFileSync(config, JSON.stringify(settings));
    return ['--config', config, '--quiet'];
  });

/** With Basic authentication and ETags of the content. */
export const startRclone = (program: string): Promise<WebdavServer> =>
  serve('rclone', program, (root, port, folder) => {
    const { username, password } = WEBDAV_USER;
    const account = ['--user', username, '--pass', password];
    const cache = ['--config', path.join(folder, 'rclone.conf'), '--cache-dir', folder, '--dir-cache-time', '0'];
    return ['serve', 'webdav', root, '--addr', `127.0.0.1:${port}`, '--etag-hash', 'MD5', ...account, ...cache];
  });
