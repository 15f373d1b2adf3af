/** Splits documents into a half for tuning and one for checking. */
import { createHash } from 'node:crypto';

/** Returns whether an article belongs to the half on which weights are fitted; the other half only checks. */
export function isTuning(title: string): boolean {
  return (createHash('sha256').update(title).digest()[0] ?? 0) % 2 === 0;
}
