/** The table at the end of a siege. */
import type { RoundTimes } from './neighbour.ts';
import type { Result } from './siege.ts';

const HEADS = [
  'phase',
  'healthz p50',
  'p99',
  'max',
  'MB main',
  'MB all',
  'neighbour: upload',
  'search',
  'run',
  'answers to the attack',
];

/** Returns the longest time of the neighbour in the phase. */
function longest(rounds: readonly RoundTimes[], phase: string, key: 'uploadMs' | 'searchMs' | 'runMs'): string {
  const times = rounds.filter((round) => round.phase === phase).map((round) => round[key]);
  return times.length === 0 ? '–' : String(Math.round(Math.max(...times)));
}

/** Returns the rows by phase: times in ms, the neighbour's are the longest ones. */
export function tableOf({ phases, latencies }: Result, rounds: readonly RoundTimes[]): string {
  const rows = latencies.map(({ phase, p50, p99, max }) => {
    const found = phases.find(({ name }) => name === phase);
    return [
      phase,
      ...[p50, p99, max, found?.maxMainMb ?? '–', found?.maxMb ?? '–'].map(String),
      longest(rounds, phase, 'uploadMs'),
      longest(rounds, phase, 'searchMs'),
      longest(rounds, phase, 'runMs'),
      found?.answers.text ?? '',
    ];
  });
  const lines = [HEADS, ...rows];
  const widths = HEADS.map((_head, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
