/** Bounds that hold under every attack. They leave room for a busy machine; the targets are those of an idle one. */
import type { PhaseLatencies } from './probe.ts';

/** Longest answer of `/healthz`, in ms. */
const MAX_HEALTHZ_MS = 30_000;
const TARGET_HEALTHZ = { p99: 100, max: 1_000 };
/** Target of the memory of the main process, from that of the idle one; parsers have limits of their own. */
const memoryTargetMb = (idleMb: number): number => Math.round(1.3 * idleMb + 300);
/**
 * Ingestion in the same process holds the chunks and vectors of as many documents as there are slots: eight hostile
 * ones with tens of thousands of chunks took 400 MB.
 */
const memoryBoundMb = (idleMb: number): number => memoryTargetMb(idleMb) + 700;

export interface Findings {
  latencies: readonly PhaseLatencies[];
  idleMb: number;
  maxMb: number;
  /** Why the service ended before it was stopped. */
  death: string | undefined;
  refusals: readonly string[];
  /** Inputs that were answered with a 5xx other than 503, by attack. */
  failures: readonly string[];
  promises: readonly string[];
}

/** Returns the broken bounds. */
export function brokenBounds(found: Findings): string[] {
  const { latencies, idleMb, maxMb, death, refusals, failures, promises } = found;
  const bound = memoryBoundMb(idleMb);
  return [
    ...(death === undefined ? [] : [`the service ended: ${death}`]),
    ...(maxMb > bound ? [`memory: ${maxMb} MB, more than ${bound} MB (1.3 × ${idleMb} MB + 1,000 MB)`] : []),
    ...latencies
      .filter(({ max }) => max > MAX_HEALTHZ_MS)
      .map(({ phase, max }) => `/healthz: ${max} ms during ${phase}, more than ${MAX_HEALTHZ_MS} ms`),
    ...latencies
      .filter(({ failed }) => failed > 0)
      .map(({ phase, failed, count }) => `/healthz: ${failed} of ${count} failed during ${phase}`),
    ...refusals.map((refusal) => `a neighbour was refused: ${refusal}`),
    ...failures.map((failure) => `an input failed: ${failure}`),
    ...promises.map((promise) => `a promise was broken: ${promise}`),
  ];
}

/** Returns what is beyond the targets of an idle machine, which does not fail the siege. */
export const beyondTargets = ({ latencies, idleMb, maxMb }: Findings): string[] => [
  ...latencies
    .filter(({ p99, max }) => p99 > TARGET_HEALTHZ.p99 || max > TARGET_HEALTHZ.max)
    .map(({ phase, p99, max }) => `${phase}: p99 ${p99} ms, max ${max} ms`),
  ...(maxMb > memoryTargetMb(idleMb) ? [`memory: ${maxMb} MB, more than ${memoryTargetMb(idleMb)} MB`] : []),
];
