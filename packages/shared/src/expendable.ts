import { readFileSync, writeFileSync } from 'node:fs';

/** Above every value that services get; 1,000 would make the kernel prefer this process however small it is. */
const EXPENDABLE_SCORE = 900;

/**
 * Lets the kernel end this process, and the programs that it starts from now on, before the service and its database
 * when memory is short. Raising the value needs no privilege; other systems than Linux have no such value.
 */
export function markExpendable(file = '/proc/self/oom_score_adj'): void {
  try {
    if (Number(readFileSync(file, 'utf8')) < EXPENDABLE_SCORE) writeFileSync(file, String(EXPENDABLE_SCORE));
  } catch {
    // Without the value the kernel chooses by size, as before.
  }
}
