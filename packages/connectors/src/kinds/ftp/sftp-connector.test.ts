// large: starts the servers of other projects
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import ssh2 from 'ssh2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeConnector } from '../../conformance.ts';
import { CONTEXT, listAll, noAbort, pathsOf, readBody } from '../../conformance/read-source.ts';
import type { ConnectorFixture } from '../../conformance/source.ts';
import { CredentialsRefused, ItemFailed } from '../../connector-error.ts';
import type { ConnectorContext } from '../../connector.ts';
import { folderTree } from '../../testing/servers/folder-tree.ts';
import { hasOpenSsh, keygen, makeKey, startSshd, type SshServer } from '../../testing/servers/openssh.ts';
import { ftp } from './descriptor.ts';

const fixture: ConnectorFixture = {
  name: 'sftp on OpenSSH',
  namesDelays: false,
  without: {
    hidden: 'the server of the test lists every file',
    'file-like-folder': 'a folder has one entry of a name',
    cut: 'the server sends a folder in parts of its own size',
    folder: 'the server of the test runs as root, which may read every folder',
    file: 'the server of the test runs as root, which may read every file',
  },
  start: async () => {
    const server = await startSshd();
    let hasStopped = false;
    const stop = async (): Promise<void> => {
      if (!hasStopped) await server.stop();
      hasStopped = true;
    };
    const opened: { close(): Promise<void> }[] = [];
    return {
      ...folderTree(server.root),
      setFault: async (fault) => {
        if (fault?.kind === 'credentials') await server.revoke();
        if (fault?.kind === 'unavailable') await stop();
        if (fault?.kind === 'missing-root') await rm(server.root, { recursive: true });
      },
      open: (context) => {
        const connector = ftp.open(server.config, context);
        opened.push(connector);
        return connector;
      },
      close: async () => {
        for (const connector of opened) await connector.close();
        await stop();
      },
    };
  },
};

if (!hasOpenSsh) test.skip('sftp on OpenSSH: the program is not installed', () => undefined);
else {
  describeConnector(fixture);

  describe('sftp on OpenSSH', () => {
    const start = async (): Promise<SshServer> => {
      const server = await startSshd();
      onTestFinished(() => server.stop());
      return server;
    };

    test('the host key that is seen first is stored, and another one is refused before the login', async () => {
      const server = await start();
      await writeFile(path.join(server.root, 'a.txt'), 'a');
      const stored: [string, string][] = [];
      const context: ConnectorContext = { ...CONTEXT, remember: async (...pair) => void stored.push(pair) };
      const connector = ftp.open(server.config, context);
      expect(await connector.test(noAbort)).toEqual(['a.txt']);
      await connector.close();
      const printed = execFileSync(keygen ?? '', ['-l', '-f', path.join(server.folder, 'host.pub')]).toString();
      const hostKeyFingerprint = /SHA256:\S+/.exec(printed)?.[0] ?? '';
      expect(stored).toEqual([['hostKeyFingerprint', hostKeyFingerprint]]);
      const pinned = ftp.open({ ...server.config, hostKeyFingerprint }, CONTEXT);
      expect(await pinned.test(noAbort)).toEqual(['a.txt']);
      await pinned.close();
      const other = `SHA256:${'A'.repeat(43)}`;
      await expect(
        ftp.open({ ...server.config, hostKeyFingerprint: other }, CONTEXT).test(noAbort),
      ).rejects.toMatchObject({
        type: 'credentials_refused',
        message: `the host key changed: it is ${hostKeyFingerprint} and not ${other}`,
      });
    });

    test('a key with a passphrase is read, and a wrong passphrase or key needs attention', async () => {
      const server = await start();
      makeKey(path.join(server.folder, 'locked'), 'open sesame');
      const privateKey = readFileSync(path.join(server.folder, 'locked'), 'utf8');
      const public_ = readFileSync(path.join(server.folder, 'locked.pub'));
      for (const config of [
        { privateKey, passphrase: 'wrong' },
        { privateKey, passphrase: 'open sesame' },
      ]) {
        const connector = ftp.open({ ...server.config, ...config }, CONTEXT);
        await expect(connector.test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
      }
      await writeFile(path.join(server.folder, 'accepted'), public_);
      const connector = ftp.open({ ...server.config, privateKey, passphrase: 'open sesame' }, CONTEXT);
      expect(await connector.test(noAbort)).toEqual([]);
      await connector.close();
    });

    test('links are neither listed nor read, also where a folder became a link after the listing', async () => {
      const server = await start();
      await mkdir(path.join(server.root, 'in'));
      await writeFile(path.join(server.root, 'in', 'a.txt'), 'a');
      await symlink('/etc/passwd', path.join(server.root, 'evil'));
      await symlink('..', path.join(server.root, 'in', 'up'));
      const connector = ftp.open(server.config, CONTEXT);
      onTestFinished(() => connector.close());
      const pages = await listAll(connector);
      expect(pathsOf(pages)).toEqual(['in/a.txt']);
      const entry = pages[0]!.entries[0]!;
      expect((await readBody((await connector.fetch(entry, noAbort)).body)).toString()).toBe('a');
      await mkdir(path.join(server.folder, 'outside'));
      await writeFile(path.join(server.folder, 'outside', 'a.txt'), 'secret');
      await rm(path.join(server.root, 'in'), { recursive: true });
      await symlink(path.join(server.folder, 'outside'), path.join(server.root, 'in'));
      for (const each of [entry, { path: 'evil', version: 'v' }]) {
        const failure: unknown = await connector.fetch(each, noAbort).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ItemFailed);
        expect(failure).toMatchObject({ reason: 'permission' });
      }
    });
  });
}

test('a password is sent as such and by keyboard-interactive, and a wrong one needs attention', async () => {
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
  const methods: string[] = [];
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (auth) => {
      methods.push(auth.method);
      if (auth.method === 'password' && auth.password === 'right') return auth.accept();
      if (auth.method !== 'keyboard-interactive') return auth.reject(['keyboard-interactive', 'password']);
      auth.prompt([{ prompt: 'Password:', echo: false }], (answers) =>
        answers[0] === 'asked' ? auth.accept() : auth.reject(),
      );
    });
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        sftp.on('REALPATH', (id) => sftp.name(id, [{ filename: '/', longname: '/', attrs: {} as ssh2.Attributes }]));
        sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('h')));
        sftp.on('READDIR', (id) => sftp.status(id, 1));
        sftp.on('CLOSE', (id) => sftp.status(id, 0));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = (password: string) =>
    ftp.open({ protocol: 'sftp', host: '127.0.0.1', port, username: 'u', password }, CONTEXT);
  for (const password of ['right', 'asked']) {
    const connector = open(password);
    expect(await connector.test(noAbort)).toEqual([]);
    await connector.close();
  }
  await expect(open('wrong').test(noAbort)).rejects.toBeInstanceOf(CredentialsRefused);
  expect(new Set(methods)).toEqual(new Set(['none', 'password', 'keyboard-interactive']));
});
