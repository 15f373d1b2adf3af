/**
 * `npm run container-check`: carries out `deploy/Dockerfile` without a container engine and starts the result as a
 * container platform would: a user id without a name, a read-only root directory, no capabilities, no new privileges,
 * 1 GB of memory. Then a document is ingested and searched, the health check runs, and SIGTERM must end the service
 * with exit code 0. Every instruction of the Dockerfile is printed when it is carried out; an unknown one is an error.
 * Needs Linux, root, mounts, `debootstrap`, a mirror of Debian and a package registry; says why it is skipped if one is
 * missing. Options: `--keep FOLDER` (the base system stays there and is used again), `--uid N`, `--memory MB`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDockerfile } from './dockerfile.ts';
import { buildStage, copyImage, exportCheckout, makeBase, type Image } from './image.ts';
import { checkContainer } from './container.ts';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    uid: { type: 'string', default: '12345' },
    memory: { type: 'string', default: '1024' },
  },
});
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const folder = values.keep ?? mkdtempSync(path.join(tmpdir(), 'quire-container-'));
mkdirSync(folder, { recursive: true });
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const succeeds = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Returns why the check cannot run on this machine; undefined if it can. Makes the base system if it is missing. */
function obstacle(base: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  if (!succeeds('sh', '-c', 'command -v debootstrap')) return 'debootstrap is not installed';
  const mounting = 'mount -t tmpfs tmpfs /mnt && mount --bind /mnt /mnt && mknod /mnt/null c 1 3';
  if (!succeeds('unshare', '--mount', '--pid', '--fork', 'sh', '-c', mounting))
    return 'mounts or devices are refused here';
  if (existsSync(base)) return undefined;
  say('base system, by debootstrap');
  try {
    makeBase(base);
  } catch (error) {
    rmSync(base, { recursive: true, force: true });
    return `debootstrap failed, so no mirror of Debian may be reachable: ${String(error).slice(0, 300)}`;
  }
  return undefined;
}

function build(base: string): Image {
  const context = path.join(folder, 'context');
  rmSync(context, { recursive: true, force: true });
  exportCheckout(checkout, context);
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const [position, stage] of readDockerfile(
    readFileSync(path.join(checkout, 'deploy/Dockerfile'), 'utf8'),
  ).entries()) {
    const root = path.join(folder, `stage-${position}`);
    rmSync(root, { recursive: true, force: true });
    copyImage(base, root);
    say(`stage ${position} (${stage.base})`);
    image = buildStage(stage, root, context, roots);
    roots.set(stage.name, root);
  }
  if (image === undefined) throw new Error('the Dockerfile has no stage');
  return image;
}

try {
  const base = path.join(folder, 'base');
  const reason = obstacle(base);
  if (reason !== undefined) say(`container-check is SKIPPED: ${reason}`);
  else {
    const options = { folder, uid: Number(values.uid), memoryBytes: Number(values.memory) * 1024 ** 2, say };
    await checkContainer(build(base), options);
    say(`container-check passed in ${Math.round(process.uptime())} s`);
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
