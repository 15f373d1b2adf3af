/** Compares the confidence of extracted values with the share of them that is right. */
import type { Extraction } from '@quire/process/extract/extraction';
import { round } from './statistics.ts';

export interface JudgedValue {
  /** Null for a value without evidence. */
  confidence: number | null;
  right: boolean;
}

const BANDS = [0.9, 0.75, 0.6, 0.4, 0];

/** Returns the values of the data that are not empty, each with its confidence. */
export function judgedValues(
  data: unknown,
  evidence: Extraction['evidence'],
  isRight: (value: unknown, place: readonly string[]) => boolean,
  place: readonly string[] = [],
): JudgedValue[] {
  if (data === null || data === undefined || data === '') return [];
  if (typeof data === 'object')
    return Object.entries(data).flatMap(([name, value]) => judgedValues(value, evidence, isRight, [...place, name]));
  const pointer = place.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return [{ confidence: evidence[pointer]?.confidence ?? null, right: isRight(data, place) }];
}

/** Returns a line for each band of confidence, and one for values without evidence. */
export function confidenceTable(values: readonly JudgedValue[]): string[] {
  const line = (name: string, own: readonly JudgedValue[]): string[] => {
    if (own.length === 0) return [];
    const right = own.filter((value) => value.right).length;
    return [`${name.padEnd(26)} ${own.length} values, ${(right / own.length).toFixed(3)} right`];
  };
  const within = (least: number, below: number): JudgedValue[] =>
    values.filter(({ confidence }) => confidence !== null && confidence >= least && confidence < below);
  return [
    ...BANDS.flatMap((least, at) => line(`confidence ≥ ${least}`, within(least, BANDS[at - 1] ?? Infinity))),
    ...line(
      'without evidence',
      values.filter(({ confidence }) => confidence === null),
    ),
  ];
}

/** Returns the number of values with the highest confidence, and the share of them that is right. */
export function figuresOfConfident(values: readonly JudgedValue[]): Record<string, number> {
  const [least = 1] = BANDS;
  const own = values.filter(({ confidence }) => confidence !== null && confidence >= least);
  if (own.length === 0) return {};
  const share = own.filter(({ right }) => right).length / own.length;
  return { [`right of confidence ≥ ${least}`]: round(share, 3), [`values of confidence ≥ ${least}`]: own.length };
}
