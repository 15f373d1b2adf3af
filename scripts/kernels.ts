/** Compiles the AssemblyScript sources in `packages/<package>/kernels/` into TypeScript files that embed the result. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Generated files by their source. */
export const KERNELS: Readonly<Record<string, string>> = {
  'packages/search/kernels/vectors.ts': 'packages/search/src/memory/generated/vectors-wasm.ts',
  'packages/models/kernels/token-sums.ts': 'packages/models/src/local/static/generated/token-sums-wasm.ts',
};

/** `--use abort=` and `--runtime stub`: the modules import nothing but their memory and allocate nothing. */
const OPTIONS = [
  '-O3',
  '--enable',
  'simd',
  '--noAssert',
  '--runtime',
  'stub',
  '--importMemory',
  '--initialMemory',
  '1',
  '--use',
  'abort=',
];

/** Returns the generated file. It is compiled only if its source, the compiler or an option has changed. */
export function compiledKernel(root: string, source: string, previous: string): string {
  const text = readFileSync(path.join(root, source), 'utf8');
  const compiler = JSON.parse(readFileSync(path.join(root, 'node_modules/assemblyscript/package.json'), 'utf8')) as {
    version: string;
  };
  const stamp = createHash('sha256')
    .update([compiler.version, ...OPTIONS, text].join('\0'))
    .digest('hex');
  const written = /WASM =\s+'([^']*)'/.exec(previous)?.[1] ?? '';
  if (written !== '' && previous === fileOf(source, stamp, written)) return previous;
  return fileOf(source, stamp, compile(root, source));
}

/** The check value covers the result too, so that a change by hand is noticed. */
function fileOf(source: string, stamp: string, wasm: string): string {
  const check = createHash('sha256').update(`${stamp}${wasm}`).digest('hex');
  return [
    `/** Compiled from \`${source}\` by \`npm run generate\`. Check value: ${check.slice(0, 16)}. */`,
    'export const WASM =',
    `  '${wasm}';`,
    '',
  ].join('\n');
}

/** Runs the compiler as a process: its types would redefine global ones in the type check. */
function compile(root: string, source: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-kernel-'));
  try {
    const file = path.join(folder, 'kernel.wasm');
    const compiler = path.join(root, 'node_modules/assemblyscript/bin/asc.js');
    execFileSync(process.execPath, [compiler, source, '--outFile', file, ...OPTIONS], { cwd: root });
    return readFileSync(file).toString('base64');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
