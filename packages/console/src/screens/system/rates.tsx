/** Rates of the last minutes, computed from readings of `/metrics` while the page is open. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatBytes, formatCount } from '../../components/content/format.ts';
import { Sparkline } from '../../components/content/sparkline.tsx';
import { Time } from '../../components/content/time.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { quantileBetween, readSamples, sumOf, type Reading, type Sample } from './prometheus.ts';
import { Stages, upTo } from './stages.tsx';

const INTERVAL_MS = 5_000;
/** Number of readings that are kept: five minutes. */
const READINGS = 61;

interface Figure {
  label: string;
  /** Returns the value of the time between two readings, or null if there was nothing to measure. */
  value: (before: Reading, after: Reading) => number | null;
  format: (value: number) => string;
}

const perSecond =
  (name: string) =>
  (before: Reading, after: Reading): number =>
    Math.max(0, sumOf(after.samples, name) - sumOf(before.samples, name)) / ((after.at - before.at) / 1000);

const p95 =
  (name: string) =>
  (before: Reading, after: Reading): number | null => {
    const seconds = quantileBetween(before.samples, after.samples, name, 0.95);
    return seconds === null ? null : seconds * 1000;
  };

const rate = (value: number): string => `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))}/s`;

const FIGURES: readonly Figure[] = [
  { label: 'Requests', value: perSecond('quire_http_request_duration_seconds_count'), format: rate },
  { label: 'Requests, p95', value: p95('quire_http_request_duration_seconds'), format: upTo },
  { label: 'Searches', value: perSecond('quire_search_duration_seconds_count'), format: rate },
  { label: 'Searches, p95', value: p95('quire_search_duration_seconds'), format: upTo },
  { label: 'Documents processed', value: perSecond('quire_documents_processed_total'), format: rate },
  { label: 'Jobs in the queue', value: (_, { samples }) => sumOf(samples, 'quire_jobs'), format: formatCount },
  {
    label: 'Memory of this process',
    value: (_, { samples }) => sumOf(samples, 'process_resident_memory_bytes'),
    format: formatBytes,
  },
  {
    label: 'CPU of this process',
    value: perSecond('process_cpu_seconds_total'),
    format: (value) => `${Math.round(value * 100)} % of a core`,
  },
];

export function Rates(): React.ReactElement {
  const { quire } = useWorkspace();
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['metrics'],
    refetchInterval: INTERVAL_MS,
    queryFn: async ({ signal }) => readSamples(await quire.metrics({ signal })),
  });
  useEffect(() => {
    if (data !== undefined) setReadings((old) => [...old, { at: dataUpdatedAt, samples: data }].slice(-READINGS));
  }, [data, dataUpdatedAt]);
  const [first] = readings;
  const last = readings.at(-1);
  const find = (wanted: string): Sample | undefined => last?.samples.find(({ name }) => name === wanted);
  const lastBackup = find('quire_last_backup_timestamp_seconds');
  const node = find('nodejs_version_info')?.labels['version'];
  return (
    <section aria-labelledby="rates" className="mt-8">
      <h2 id="rates" className="mb-2 font-display text-lg">
        Rates
      </h2>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} className="mb-3" />}
      {readings.length > 0 && (
        <p className="mb-3 text-muted">
          Last backup:{' '}
          {lastBackup === undefined || lastBackup.value === 0 ? (
            <span className="text-warn">none that this service knows of</span>
          ) : (
            <Time at={new Date(lastBackup.value * 1000).toISOString()} />
          )}
          {node !== undefined && ` · Node.js ${node.replace('v', '')}`}
        </p>
      )}
      {readings.length < 2 ? (
        <p className="text-muted">The first figures come in {INTERVAL_MS / 1000} seconds.</p>
      ) : (
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {FIGURES.map((figure) => (
            <FigureCard key={figure.label} figure={figure} readings={readings} />
          ))}
        </dl>
      )}
      {first !== undefined && last !== undefined && first !== last && <Stages before={first} after={last} />}
    </section>
  );
}

function FigureCard({ figure, readings }: { figure: Figure; readings: readonly Reading[] }): React.ReactElement {
  const values = readings.slice(1).map((after, index) => figure.value(readings[index] ?? after, after));
  const latest = values.at(-1) ?? null;
  return (
    <div className="card px-3 py-2">
      <dt className="text-sm text-muted">{figure.label}</dt>
      <dd>
        <span className="text-lg tabular-nums">{latest === null ? 'none' : figure.format(latest)}</span>
        <Sparkline
          label={`${figure.label}, last five minutes`}
          values={values.map((value) => (value === null || !Number.isFinite(value) ? 0 : value))}
        />
      </dd>
    </div>
  );
}
