/**
 * `npm run check-packages`: packs the packages for other projects and checks the tarballs with publint (entry points,
 * files, fields) and with `@arethetypeswrong/core` (types for ESM and bundlers).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PUBLISHED = ['diffcp', 'blocks', 'client', 'cli'];
/** Old ways of resolving modules, which do not read `exports` or are not ESM. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

/** Returns the faults of a package. */
async function faultsOf(name: string, folder: string): Promise<string[]> {
  const pkgDir = path.join(root, 'packages', name);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: pkgDir });
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }];
  const tarball = readFileSync(path.join(folder, filename));
  const manifest = JSON.parse(readFileSync(path.join(pkgDir, 'package.json'), 'utf8')) as Record<string, unknown>;
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages } = await publint({ strict: true, pack: { tarball: data } });
  const faults = messages.map((message) => formatMessage(message, manifest) ?? message.code);
  const { problems = [] } = (await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))) as {
    problems?: { kind: string; entrypoint?: string; resolutionKind?: string }[];
  };
  const wrong = problems.filter(({ resolutionKind }) => !UNSUPPORTED.has(resolutionKind ?? ''));
  return [...faults, ...wrong.map((problem) => `types: ${JSON.stringify(problem)}`)];
}

const folder = mkdtempSync(path.join(tmpdir(), 'quire-packages-'));
try {
  for (const name of PUBLISHED) {
    const faults = await faultsOf(name, folder);
    console.log([`@quire/${name}: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`, ...faults].join('\n  '));
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
