/** OpenSSH over a folder. Only imported by tests. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { findProgram, freePort, startProgram, type RunningProgram } from '../programs.ts';

const sshd = findProgram('sshd');
export const keygen = findProgram('ssh-keygen');
export const hasOpenSsh = sshd !== null && keygen !== null;

export interface SshServer {
  port: number;
  folder: string;
  root: string;
  config: Record<string, unknown>;
  /** Ends all sessions and refuses new logins. */
  revoke(): Promise<void>;
  stop(): Promise<void>;
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

function endSessions(server: RunningProgram): void {
  for (const pid of childrenOf(server.process.pid ?? 0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // A session may have ended by itself since the list was read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export function makeKey(file: string, passphrase = ''): void {
  execFileSync(keygen ?? '', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file], { stdio: 'ignore' });
}

export async function startSshd(): Promise<SshServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-sshd-'));
  const root = path.join(folder, 'files');
  await mkdir(root);
  for (const name of ['host', 'user']) makeKey(path.join(folder, name));
  const accepted = path.join(folder, 'accepted');
  await writeFile(accepted, readFileSync(path.join(folder, 'user.pub')), { mode: 0o600 });
  const port = await freePort();
  const settings = [
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${accepted}`,
    `PidFile none`,
    'ListenAddress 127.0.0.1',
    'StrictModes no',
    // Without PAM, an ordinary account that has no password counts as locked.
    `UsePAM ${userInfo().uid === 0 ? 'no' : 'yes'}`,
    'KbdInteractiveAuthentication no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
  ];
  await writeFile(path.join(folder, 'sshd.conf'), `${settings.join('\n')}\n`);
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
  const running = await startProgram(
    sshd ?? '',
    ['-D', '-e', '-f', path.join(folder, 'sshd.conf'), '-p', String(port)],
    port,
  );
  return {
    port,
    folder,
    root,
    config: {
      protocol: 'sftp',
      host: '127.0.0.1',
      port,
      username: userInfo().username,
      privateKey: readFileSync(path.join(folder, 'user'), 'utf8'),
      path: root,
    },
    revoke: async () => {
      await writeFile(accepted, '');
      endSessions(running);
    },
    stop: async () => {
      endSessions(running);
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
