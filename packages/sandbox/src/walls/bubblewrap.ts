/** Walls by bubblewrap, which sets everything up within one process in a few milliseconds. */
import type { WalledChild } from './isolation.ts';
import type { VisiblePaths } from './visible-paths.ts';

export function bubblewrapCommand(program: string, visible: VisiblePaths, child: WalledChild): string[] {
  return [
    program,
    '--unshare-all',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    // LibreOffice makes its pipe in /tmp only. First, because the paths below may be within it.
    '--size',
    '1048576',
    '--tmpfs',
    '/tmp',
    ...visible.mounts.flatMap(({ path }) => ['--ro-bind', path, path]),
    ...visible.links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...visible.hidden.flatMap((path) => ['--tmpfs', path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind',
    child.directory,
    child.directory,
    '--ro-bind',
    child.inputs,
    child.inputs,
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    child.directory,
    '--',
  ];
}
