/** The measures of one or two settings, and of each question. */
import { Link } from '@tanstack/react-router';
import { IconButton } from '../../components/controls/button.tsx';
import { formatMs } from '../../components/content/format.ts';
import { nameOfJudged, type Question } from '../../data/evaluation-set.ts';
import { useWorkspace } from '../../data/workspace.ts';
import type { Outcome } from './evaluation-screen.tsx';
import { summaryOf, type Score, type Summary } from './measures.ts';

const MEASURES: readonly { name: string; read: (summary: Summary) => number; isTime?: boolean }[] = [
  { name: 'nDCG@10', read: ({ ndcg }) => ndcg },
  { name: 'Recall@100', read: ({ recall }) => recall },
  { name: 'MRR', read: ({ reciprocalRank }) => reciprocalRank },
  { name: 'p50', read: ({ p50Ms }) => p50Ms, isTime: true },
  { name: 'p95', read: ({ p95Ms }) => p95Ms, isTime: true },
];

export function Results({ outcome: { a, b } }: { outcome: Outcome }): React.ReactElement {
  const first = summaryOf(a);
  const second = b === undefined ? undefined : summaryOf(b);
  return (
    <div aria-live="polite">
      <Measures first={first} second={second} />
      {b !== undefined && <p className="mt-3">{winsOf(a, b)}</p>}
    </div>
  );
}

/** Returns how many questions each setting answers better, by nDCG. */
function winsOf(a: readonly Score[], b: readonly Score[]): string {
  const differences = a.map(({ ndcg }, index) => ndcg - (b[index]?.ndcg ?? 0));
  const count = (test: (difference: number) => boolean): number => differences.filter(test).length;
  return `A wins ${count((each) => each > 0)}, B wins ${count((each) => each < 0)}, ${count((each) => each === 0)} equal`;
}

function Measures({ first, second }: { first: Summary; second: Summary | undefined }): React.ReactElement {
  return (
    <dl className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-5">
      {MEASURES.map(({ name, read, isTime = false }) => {
        const shown = (summary: Summary): string => (isTime ? formatMs(read(summary)) : read(summary).toFixed(3));
        return (
          <div key={name} className="card px-3 py-2">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-display text-xl tabular-nums">{shown(first)}</dd>
            {second !== undefined && <dd className="text-sm text-muted tabular-nums">B {shown(second)}</dd>}
          </div>
        );
      })}
    </dl>
  );
}

interface QuestionsProps {
  questions: readonly Question[];
  outcome: Outcome | undefined;
  onRemove: (query: string) => void;
}

export function Questions({ questions, outcome, onRemove }: QuestionsProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const isCurrent = outcome?.a.length === questions.length;
  return (
    <table aria-label="Questions" className="mt-5 w-full border-collapse">
      <thead className="text-left text-sm text-muted">
        <tr className="border-b border-line">
          <th className="py-1.5 pr-3 font-medium">Question</th>
          <th className="py-1.5 pr-3 font-medium max-md:hidden">Expected</th>
          <th className="py-1.5 pr-3 text-right font-medium">A</th>
          <th className="py-1.5 pr-3 text-right font-medium">B</th>
          <th className="py-1.5 font-medium">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {questions.map(({ query, documents }, index) => {
          const a = isCurrent ? outcome?.a[index]?.ndcg : undefined;
          const b = isCurrent ? outcome?.b?.[index]?.ndcg : undefined;
          return (
            <tr key={query} className="border-b border-line">
              <td className="py-1.5 pr-3">
                <Link
                  to="/w/$ws/search"
                  params={{ ws }}
                  search={{ q: query }}
                  className="text-ink no-underline hover:underline"
                >
                  {query}
                </Link>
                {a !== undefined && b !== undefined && a !== b && (
                  <span className={`ml-2 text-sm ${b > a ? 'text-ok' : 'text-warn'}`}>
                    {b > a ? 'B wins' : 'A wins'}
                  </span>
                )}
              </td>
              <td
                className="max-w-60 truncate py-1.5 pr-3 text-sm text-muted max-md:hidden"
                title={documents.map(nameOfJudged).join('\n')}
              >
                {documents.map(nameOfJudged).join(', ')}
              </td>
              <td className="py-1.5 pr-3 text-right whitespace-nowrap tabular-nums">{a?.toFixed(3)}</td>
              <td className="py-1.5 pr-3 text-right whitespace-nowrap tabular-nums">{b?.toFixed(3)}</td>
              <td className="text-right">
                <IconButton icon="close" label={`Remove “${query}”`} onClick={() => onRemove(query)} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
