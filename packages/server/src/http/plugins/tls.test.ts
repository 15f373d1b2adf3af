import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '../../logger.ts';
import { CertificateReloader } from './tls.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quire-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('changed files are loaded once; a pair that does not load leaves the previous one until it does', () => {
  const files = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') };
  const write = (cert: string, key: string): void => {
    rmSync(files.certFile, { force: true });
    writeFileSync(files.certFile, cert);
    writeFileSync(files.keyFile, key);
  };
  const loaded: unknown[] = [];
  const logged: string[] = [];
  const server = {
    setSecureContext: ({ cert, key }: { cert?: unknown; key?: unknown }) => {
      if (String(cert).startsWith('broken')) throw new Error('no certificate');
      loaded.push([String(cert), String(key)]);
    },
  };
  write('first', 'first key');
  const log = { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) };
  const reloader = new CertificateReloader(server, files, createLogger({ level: 'info', destination: log }));
  reloader.check();
  write('second one', 'second key');
  reloader.check();
  reloader.check();
  write('broken', 'third key');
  reloader.check();
  write('fourth in line', 'fourth key');
  reloader.check();
  rmSync(files.keyFile);
  reloader.check();
  expect(loaded).toEqual([
    ['second one', 'second key'],
    ['fourth in line', 'fourth key'],
  ]);
  expect(logged).toEqual([
    'TLS certificate reloaded',
    'TLS certificate not reloaded',
    'TLS certificate reloaded',
    'TLS certificate not reloaded',
  ]);
});
