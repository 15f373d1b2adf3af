/** Reads Prometheus' text format, as far as the system page needs it. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The samples of one point in time, in ms since 1970. */
export interface Reading {
  at: number;
  samples: readonly Sample[];
}

const LINE = /^([a-z_][\w:]*)(?:\{([^}]*)\})? (\S+)$/i;
const LABEL = /([^,=]{1,100})="((?:[^"\\]|\\.)*)"/g;

/** Returns the samples of a page of metrics; lines of another form are left out. */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', content = '']) => [label, content]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

type Labels = Readonly<Record<string, string>>;

/** Returns the sum of all samples of a name whose labels match. */
export function sumOf(samples: readonly Sample[], name: string, labels: Labels = {}): number {
  const wanted = Object.entries(labels);
  return samples
    .filter((sample) => sample.name === name && wanted.every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * Returns a quantile (0..1) of what a histogram recorded between two readings: the upper bound of its bucket, or null
 * if nothing was recorded.
 */
export function quantileBetween(
  before: readonly Sample[],
  after: readonly Sample[],
  name: string,
  quantile: number,
  labels: Labels = {},
): number | null {
  const wanted = Object.entries(labels);
  const bounds = new Map<number, number>();
  const add = (samples: readonly Sample[], sign: number): void => {
    for (const sample of samples) {
      if (sample.name !== `${name}_bucket` || !wanted.every(([key, value]) => sample.labels[key] === value)) continue;
      const bound = Number(sample.labels['le']?.replace('+Inf', 'Infinity'));
      bounds.set(bound, (bounds.get(bound) ?? 0) + sign * sample.value);
    }
  };
  add(after, 1);
  add(before, -1);
  const sorted = [...bounds].toSorted(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  return total <= 0 ? null : (sorted.find(([, count]) => count >= total * quantile)?.[0] ?? null);
}
