/** Servers of FTP and FTPS over a folder: vsftpd and pure-ftpd. Only imported by tests. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { generate } from 'selfsigned';
import { freePort, startProgram } from '../programs.ts';

export interface RealFtpServer {
  port: number;
  root: string;
  /** Trusts the certificate of the server. */
  outbound: OutboundClient;
  /** Fields of the configuration besides host and port. */
  config: Record<string, unknown>;
  stop(): Promise<void>;
}

/** Generating a key takes about a second. */
let authority: ReturnType<typeof generate> | undefined;

async function certificate(folder: string): Promise<{ file: string; outbound: OutboundClient }> {
  authority ??= generate([{ name: 'commonName', value: 'Servers of tests' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7 as const, ip: '127.0.0.1' }] },
    ],
  });
  const pems = await authority;
  const file = path.join(folder, 'server.pem');
  await writeFile(file, `${pems.private}\n${pems.cert}`, { mode: 0o600 });
  return { file, outbound: new OutboundClient(new AddressRules(['127.0.0.0/8']), { extraCa: pems.cert }) };
}

/** Runs as the user of the tests. */
export async function startVsftpd(program: string, options: readonly string[] = []): Promise<RealFtpServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-vsftpd-'));
  await chmod(folder, 0o755);
  const files = path.join(folder, 'files');
  const root = path.join(files, 'tree');
  await mkdir(root, { recursive: true });
  const { file, outbound } = await certificate(folder);
  const port = await freePort();
  const settings = [
    'listen=YES',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    'background=NO',
    'run_as_launching_user=YES',
    `ftp_username=${userInfo().username}`,
    'anonymous_enable=YES',
    'anon_world_readable_only=NO',
    `anon_root=${files}`,
    'local_enable=NO',
    'force_dot_files=YES',
    'max_per_ip=0',
    'seccomp_sandbox=NO',
    'allow_anon_ssl=YES',
    'ssl_enable=YES',
    `rsa_cert_file=${file}`,
    'xferlog_enable=NO',
    'utf8_filesystem=YES',
    ...options,
  ];
  const config = path.join(folder, 'vsftpd.conf');
  await writeFile(config, `${settings.join('\n')}\n`);
  const running = await startProgram(program, [config], port);
  return {
    port,
    root,
    outbound,
    config: { protocol: 'ftps', path: 'tree' },
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Needs root. A login costs the server a second of CPU, as it hashes the password. */
export async function startPureFtpd(server: string, users: string): Promise<RealFtpServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-pure-ftpd-'));
  await chmod(folder, 0o755);
  const root = path.join(folder, 'files');
  await mkdir(root);
  const { file, outbound } = await certificate(folder);
  const [passwords, database] = [path.join(folder, 'passwords'), path.join(folder, 'users.pdb')];
  const account = ['useradd', 'tester', '-u', '1', '-g', '1', '-d', root, '-f', passwords, '-F', database, '-m'];
  execFileSync(users, account, { input: 'secret\nsecret\n', stdio: ['pipe', 'ignore', 'pipe'] });
  const port = await freePort();
  const args = ['-S', `127.0.0.1,${port}`, '-l', `puredb:${database}`, '-2', file, '-Y', '1', '-H', '-A', '-u', '1'];
  const running = await startProgram(server, args, port);
  return {
    port,
    root,
    outbound,
    config: { protocol: 'ftps', username: 'tester', password: 'secret' },
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
