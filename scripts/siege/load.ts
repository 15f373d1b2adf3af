/** An attack of the siege: bounded in number and time, and repeatable by its seed. */
export interface SiegeTarget {
  /** Address of the service, without a path. */
  url: string;
  /** Root key of the service. */
  key: string;
  seed: number;
  /** Aborted at the end of the siege; the load then closes its connections and returns. */
  signal: AbortSignal;
}

/** Counts of what happened, by name. */
export type SiegeCounts = Record<string, number>;

export interface SiegeLoad {
  name: string;
  /** Runs until its work is done or the signal is aborted. */
  run(target: SiegeTarget): Promise<SiegeCounts>;
}

/** Adds the counts of all parts. */
export function sum(parts: readonly SiegeCounts[]): SiegeCounts {
  const total: SiegeCounts = {};
  for (const part of parts) for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
  return total;
}
