/**
 * Walls by the programs of util-linux, which every Debian and Fedora system has: `unshare` makes the namespaces, a
 * shell script mounts a new root directory, and `setpriv` drops all privileges before Node starts.
 */
import type { WalledChild } from './isolation.ts';
import type { VisiblePaths } from './visible-paths.ts';

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];
/** Every mount ignores set-user-id programs and device files. */
const FLAGS = 'nosuid,nodev';

const DROP_PRIVILEGES = ['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'];

/**
 * Message with which `unshare` ends when the first process of its namespace was ended by SIGKILL: it tries to end by
 * the same signal, whose handler cannot be set.
 */
export const FIRST_PROCESS_KILLED = 'unshare: sigprocmask unblock failed';

/** `isRoot`: root makes the namespaces directly; any other account needs a user namespace, in which it is root. */
export function namespacesCommand(visible: VisiblePaths, child: WalledChild, isRoot: boolean): string[] {
  return [
    'setpriv',
    '--pdeathsig',
    'SIGKILL',
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--net',
    '--ipc',
    '--uts',
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-euc',
    mountScript(visible, child, isRoot),
    'sh',
  ];
}

function mountScript(visible: VisiblePaths, child: WalledChild, isRoot: boolean): string {
  const root = quote(child.rootDirectory);
  const inRoot = (place: string): string => quote(child.rootDirectory + place);
  const bind = (from: string, to: string, options: string): string =>
    `mount -o ${options} --bind ${quote(from)} ${inRoot(to)}`;
  const directories = [
    ...visible.mounts.filter(({ isDirectory }) => isDirectory).map(({ path }) => path),
    ...visible.mounts.filter(({ isDirectory }) => !isDirectory).map(({ path }) => parentOf(path)),
    '/proc',
    '/dev',
  ];
  const files = [
    ...visible.mounts.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path),
    ...DEVICES.map((name) => `/dev/${name}`),
  ];
  return [
    // The shell stays process 1 of the new namespace: a process 1 could not be ended by a signal from within.
    `ulimit -c 0`,
    `mount -t tmpfs -o size=1m,mode=755,${FLAGS} tmpfs ${root}`,
    // LibreOffice makes its pipe in /tmp only. First, because the paths below may be within it.
    `mkdir ${inRoot('/tmp')}`,
    `mount -t tmpfs -o size=1m,mode=1777,${FLAGS} tmpfs ${inRoot('/tmp')}`,
    `mkdir -p ${directories.map(inRoot).join(' ')}`,
    ...files.map((file) => `: >${inRoot(file)}`),
    ...visible.links.map(({ path, target }) => `ln -s ${quote(target)} ${inRoot(path)}`),
    ...visible.mounts.map(({ path }) => bind(path, path, `ro,${FLAGS}`)),
    // Devices can be written to all the same. Where /dev is read-only, as with PrivateDevices, nothing else is allowed.
    ...DEVICES.map((name) => bind(`/dev/${name}`, `/dev/${name}`, 'ro,nosuid,noexec')),
    ...visible.hidden.map((path) => `mount -t tmpfs -o size=1m,mode=755,${FLAGS} tmpfs ${inRoot(path)}`),
    `mount -t proc -o nosuid,nodev,noexec proc ${inRoot('/proc')}`,
    `mkdir -p ${inRoot(child.directory)}`,
    bind(child.directory, child.directory, FLAGS),
    bind(child.inputs, child.inputs, `ro,${FLAGS}`),
    `cd ${root}`,
    // The PATH of ordinary users often lacks the folder of this program.
    `PATH="$PATH:/usr/sbin:/sbin" pivot_root . .`,
    `umount -l .`,
    `mount -o remount,bind,ro,${FLAGS} /`,
    // Nothing within may gain privileges over a namespace of its own.
    ...(isRoot ? [] : [`echo 0 >/proc/sys/user/max_user_namespaces || :`]),
    `cd ${quote(child.directory)}`,
    `exec setpriv ${DROP_PRIVILEGES.join(' ')} sh -c '"$@"; exit $?' sh "$@"`,
  ].join('\n');
}

const parentOf = (file: string): string => file.slice(0, file.lastIndexOf('/'));

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
