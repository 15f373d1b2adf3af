/**
 * Converts office files to PDF with LibreOffice, if `soffice` is on PATH. Each conversion has its own profile, in which
 * macros, links to other files and network access are disabled. A conversion takes one to three seconds.
 */
import { spawn } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode } from '@quire/shared/error-code';
import type { ParseContext, SourceFile } from '../parser.ts';

const TIMEOUT_MS = 60_000;

let absent = false;

/** Returns null if LibreOffice is missing or cannot convert the file. Rejects when the signal aborts. */
export async function convertToPdf(
  file: SourceFile,
  context: Pick<ParseContext, 'tempDir' | 'signal'>,
): Promise<SourceFile | null> {
  if (absent) return null;
  const directory = path.join(context.tempDir, 'soffice');
  const profile = path.join(directory, 'profile');
  await writeProfile(profile);
  const target = ['--convert-to', 'pdf', '--outdir', directory, file.path];
  const args = [`-env:UserInstallation=${pathToFileURL(profile).href}`, '--headless', '--norestore', ...target];
  if (!(await run(args, directory, context.signal))) return null;
  const result = path.join(directory, `${path.parse(file.path).name}.pdf`);
  const size = await stat(result).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) return null;
  return { path: result, name: file.name, sizeBytes: size, format: 'pdf', contentType: 'application/pdf' };
}

/** Address of a proxy that does not exist, so that links in a document are not followed. */
const BLACK_HOLE = '127.0.0.1';
const SETTINGS = [
  ['org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['org.openoffice.Inet/Settings', 'ooInetProxyType', '2'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyName', BLACK_HOLE],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPProxyPort', '9'],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyName', BLACK_HOLE],
  ['org.openoffice.Inet/Settings', 'ooInetHTTPSProxyPort', '9'],
] as const;

async function writeProfile(profile: string): Promise<void> {
  const items = SETTINGS.map(
    ([place, name, value]) =>
      `<item oor:path="/${place}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">${items.join('')}</oor:items>`;
  await mkdir(path.join(profile, 'user'), { recursive: true });
  await writeFile(path.join(profile, 'user', 'registrymodifications.xcu'), xml);
}

/** Returns whether the program succeeded. Its child process, `soffice.bin`, ends with it. */
function run(args: readonly string[], directory: string, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'], HOME: directory, TMPDIR: directory, SAL_USE_VCLPLUGIN: 'svp' };
    const limits = { signal, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    const child = spawn('soffice', args, { cwd: directory, env, stdio: 'ignore', ...limits });
    child.on('error', (error) => {
      if (errorCode(error) === 'ENOENT') absent = true;
    });
    child.on('close', (code) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(code === 0);
    });
  });
}
