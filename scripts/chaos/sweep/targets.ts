/** The threads and processes whose system calls are swept. */
import { readdirSync } from 'node:fs';
import { familyOf } from '../../../packages/server/test/service-process.ts';
import type { System } from '../system.ts';

export interface Target {
  name: 'service files' | 'service sockets' | 'parser' | 'PostgreSQL' | 'backup';
  /** Calls at which it is killed. */
  calls: readonly string[];
  /** Whether the calls also fail with ENOSPC and EIO. Sockets and pipes do not. */
  canFail: boolean;
  /** Whether children that begin later are traced too. */
  follows: boolean;
  /** The running threads; empty if the target is started for each point. */
  threads: (system: System, fileThread: number) => number[];
}

const FILE_CALLS =
  'fsync fdatasync rename link unlink rmdir mkdir ftruncate write pwrite64 writev pwritev copy_file_range'.split(' ');
const SOCKET_CALLS = ['write', 'writev'];
const POSTGRES_CALLS = ['fsync', 'fdatasync', 'rename', 'unlink', 'write', 'pwrite64', 'pwritev', 'sendto'];

export const TARGETS: readonly Target[] = [
  {
    name: 'service files',
    calls: FILE_CALLS,
    canFail: true,
    follows: false,
    threads: (_system, fileThread) => [fileThread],
  },
  {
    name: 'service sockets',
    calls: SOCKET_CALLS,
    canFail: false,
    follows: false,
    threads: (system) => [system.pidOf('all')],
  },
  {
    name: 'parser',
    calls: SOCKET_CALLS,
    canFail: false,
    follows: false,
    threads: (system) => system.children.flatMap(threadsOf),
  },
  {
    name: 'PostgreSQL',
    calls: POSTGRES_CALLS,
    canFail: true,
    follows: true,
    threads: ({ postgres }) => familyOf(postgres.pid),
  },
  { name: 'backup', calls: FILE_CALLS, canFail: true, follows: true, threads: () => [] },
];

/** Empty if the process has ended. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
