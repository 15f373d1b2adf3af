/** Servers of WebDAV over a folder: wsgidav and rclone. Only imported by tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startProgram } from '../programs.ts';
import { folderTree, type FolderTree } from './folder-tree.ts';

/** Account of both servers. */
export const WEBDAV_USER = { username: 'tester', password: 'a "secret"' };

export interface WebdavServer {
  port: number;
  /** Folder that is served at `/`. */
  root: string;
  /** Called after each change of the files: a server that caches folders reads them again. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Changes the files of the server below a folder, so that the next request shows the change. */
export function servedTree(server: WebdavServer, root = server.root): FolderTree {
  const tree = folderTree(root);
  const refreshed = async (change: Promise<void>): Promise<void> => {
    await change;
    await server.refresh();
  };
  return {
    write: (file, bytes) => refreshed(tree.write(file, bytes)),
    move: (from, to) => refreshed(tree.move(from, to)),
    remove: (file) => refreshed(tree.remove(file)),
    link: (file, target) => refreshed(tree.link(file, target)),
  };
}

async function serve(
  name: string,
  program: string,
  argsOf: (root: string, port: number, folder: string) => string[],
  refresh: () => Promise<void> = async () => undefined,
): Promise<WebdavServer> {
  const folder = mkdtempSync(path.join(tmpdir(), `quire-${name}-`));
  const root = path.join(folder, 'files');
  mkdirSync(root);
  const port = await freePort();
  const running = await startProgram(program, argsOf(root, port, folder), port);
  return {
    port,
    root,
    refresh,
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

/**
 * With Basic authentication and ETags of the content. It caches folders, which are forgotten after each change: without
 * a cache, it reads a folder once for each of its files.
 */
export async function startRclone(program: string): Promise<WebdavServer> {
  const control = `127.0.0.1:${await freePort()}`;
  const refresh = async (): Promise<void> => {
    const answer = await fetch(`http://${control}/vfs/forget`, { method: 'POST' });
    if (!answer.ok) throw new Error(`rclone did not forget its folders: ${await answer.text()}`);
  };
  const argsOf = (root: string, port: number, folder: string): string[] => {
    const { username, password } = WEBDAV_USER;
    const account = ['--user', username, '--pass', password, '--config', path.join(folder, 'rclone.conf')];
    const cache = ['--cache-dir', folder, '--dir-cache-time', '1h', '--rc', '--rc-no-auth', '--rc-addr', control];
    return ['serve', 'webdav', root, '--addr', `127.0.0.1:${port}`, '--etag-hash', 'MD5', ...account, ...cache];
  };
  return serve('rclone', program, argsOf, refresh);
}
