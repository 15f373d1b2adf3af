import { availableParallelism, loadavg } from 'node:os';

/** Returns by what limits of time grow: 1 on an idle machine, more where other programs use its processors. */
export const loadFactor = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
