import type { spawn } from 'node:child_process';

/** As `spawn` of Node, for a child that ends with this process. A detached child ends with its whole process group. */
export const spawnWithParent: typeof spawn;
