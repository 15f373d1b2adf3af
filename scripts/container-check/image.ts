/** Builds the stages of the Dockerfile as folders: the base by debootstrap, each `RUN` in a chroot. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from './dockerfile.ts';

export interface Image {
  root: string;
  environment: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: string;
  command: string;
  healthCheck: string;
}

const DEBIAN = 'bookworm';
/** Packages that the slim image of Node has beside the base system. */
const PACKAGES = 'libstdc++6,ca-certificates';

/** Makes the devices that programs need. Those of this machine are not mounted: a program inside could change them. */
export const MAKE_DEVICES = `mount -t tmpfs tmpfs "$0/dev" && mknod -m 666 "$0/dev/null" c 1 3 &&
  mknod -m 666 "$0/dev/zero" c 1 5 && mknod -m 666 "$0/dev/random" c 1 8 && mknod -m 666 "$0/dev/urandom" c 1 9 &&
  mkdir "$0/dev/shm" && mount -t tmpfs -o size=64m tmpfs "$0/dev/shm"`;

export function run(program: string, args: readonly string[], quiet = true): void {
  execFileSync(program, args, { stdio: ['ignore', quiet ? 'pipe' : 'inherit', 'inherit'], maxBuffer: 1 << 28 });
}

/** Makes a root directory like that of `node:…-slim`, with this machine's Node and npm. */
export function makeBase(root: string): void {
  run('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, DEBIAN, root]);
  const node = realpathSync(process.execPath);
  cpSync(node, path.join(root, 'usr/local/bin/node'));
  const npm = realpathSync(execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim());
  cpSync(path.join(path.dirname(npm), '..'), path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  writeFileSync(
    path.join(root, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  );
  // The network of this machine, and the authorities that it trusts.
  for (const file of ['/etc/resolv.conf', '/etc/ssl/certs/ca-certificates.crt'])
    cpSync(file, path.join(root, file), { dereference: true });
}

export function copyImage(from: string, to: string): void {
  run('cp', ['--archive', from, to]);
}

/** Carries out the instructions of a stage in its root directory; `stages` are the roots of earlier ones by name. */
export function buildStage(stage: Stage, root: string, context: string, stages: ReadonlyMap<string, string>): Image {
  const image: Image = {
    root,
    environment: {},
    workdir: '/',
    user: '',
    entrypoint: '',
    command: '',
    healthCheck: '',
  };
  for (const { name, text } of stage.instructions) {
    process.stderr.write(`  ${Math.round(process.uptime())} s: ${name} ${text.slice(0, 100)}\n`);
    if (name === 'WORKDIR') {
      image.workdir = text;
      mkdirSync(path.join(root, text), { recursive: true });
    } else if (name === 'COPY') copy(text, image, context, stages);
    else if (name === 'RUN') runInside(image, text);
    else if (name === 'ENV') Object.assign(image.environment, readEnv(text));
    else if (name === 'USER') image.user = text;
    else if (name === 'ENTRYPOINT') image.entrypoint = text;
    else if (name === 'CMD') image.command = text;
    else if (name === 'HEALTHCHECK') image.healthCheck = text;
  }
  return image;
}

const readEnv = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]));

function copy(text: string, image: Image, context: string, stages: ReadonlyMap<string, string>): void {
  const words = text.split(' ');
  const from = words[0]?.startsWith('--from=') === true ? stages.get(words.shift()?.slice(7) ?? '') : context;
  const to = words.pop() ?? '';
  if (from === undefined) throw new Error(`COPY ${text}: there is no such stage`);
  const target = path.resolve('/', image.workdir, to);
  for (const word of words) {
    const source = path.join(from, word);
    const isFile = statSync(source).isFile();
    const place = path.join(image.root, target, isFile ? path.basename(word) : '');
    mkdirSync(path.dirname(place), { recursive: true });
    if (!isFile) mkdirSync(place, { recursive: true });
    run('cp', ['--archive', isFile ? source : `${source}/.`, place]);
  }
}

/** Runs a command as the builder does: as root, with the network of this machine, `/proc` and `/dev` mounted. */
function runInside({ root, workdir, environment }: Image, command: string): void {
  const variables = Object.entries({ ...environment, ...registrySettings() }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const searchPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  for (const folder of [path.join(root, 'root/.npm'), cache]) mkdirSync(folder, { recursive: true });
  const script =
    `mount -t proc proc "$0/proc" && ${MAKE_DEVICES} && mount --bind "$1" "$0/root/.npm" && shift && ` +
    'exec chroot "$0" env -i "$@"';
  const inside = [cache, searchPath, 'HOME=/root', ...variables, 'sh', '-c', `cd ${workdir} && ${command}`];
  run('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, root, ...inside]);
}

/** Settings of this machine's npm that reach a registry, passed on as variables. */
function registrySettings(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => /^(https?_proxy|no_proxy|npm_config_registry)$/i.test(name));
  const given = Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
  return { ...given, npm_config_cafile: '/etc/ssl/certs/ca-certificates.crt' };
}

/** Copies the files of this checkout that git tracks or does not ignore. */
export function exportCheckout(checkout: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const tar = `cd "$0" && git ls-files -z --cached --others --exclude-standard | tar --null --no-recursion --ignore-failed-read -cf - -T - | tar -xf - -C "$1"`;
  run('sh', ['-c', tar, checkout, to]);
}
