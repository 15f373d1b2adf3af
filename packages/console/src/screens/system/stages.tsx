import { formatCount, formatMs } from '../../components/content/format.ts';
import { quantileBetween, sumOf, type Reading } from './prometheus.ts';

const SECONDS = 'quire_ingest_stage_duration_seconds';

/** Returns the bound of a bucket of a histogram in words. */
export const upTo = (ms: number): string => (Number.isFinite(ms) ? `≤ ${formatMs(ms)}` : 'over the last bucket');

/** How long documents took in each stage while the page is open, at most in the last five minutes. */
export function Stages({ before, after }: { before: Reading; after: Reading }): React.ReactNode {
  const names = new Set(
    after.samples.filter(({ name }) => name === `${SECONDS}_count`).map(({ labels }) => labels['stage'] ?? ''),
  );
  const rows = [...names].flatMap((stage) => {
    const grown = (name: string): number =>
      sumOf(after.samples, name, { stage }) - sumOf(before.samples, name, { stage });
    const count = grown(`${SECONDS}_count`);
    const p95Seconds = quantileBetween(before.samples, after.samples, SECONDS, 0.95, { stage });
    if (count <= 0 || p95Seconds === null) return [];
    return { stage, count, meanMs: (grown(`${SECONDS}_sum`) / count) * 1000, p95Ms: p95Seconds * 1000 };
  });
  return (
    <section aria-labelledby="stages" className="mt-6">
      <h3 id="stages" className="mb-1 font-medium">
        Stages of documents <span className="font-normal text-muted">in the last five minutes</span>
      </h3>
      {rows.length === 0 ? (
        <p className="text-muted">No document was processed while this page was open.</p>
      ) : (
        <table className="w-full max-w-xl">
          <thead className="text-left text-sm text-muted">
            <tr className="border-b border-line *:py-1 *:font-medium">
              <th scope="col">Stage</th>
              <th scope="col" className="text-right">
                Documents
              </th>
              <th scope="col" className="text-right">
                Mean
              </th>
              <th scope="col" className="text-right">
                p95
              </th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {rows.map(({ stage, count, meanMs, p95Ms }) => (
              <tr key={stage} className="border-b border-line *:py-1">
                <th scope="row" className="text-left font-normal">
                  {stage}
                </th>
                <td className="text-right">{formatCount(count)}</td>
                <td className="text-right">{formatMs(meanMs)}</td>
                <td className="text-right">{upTo(p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
