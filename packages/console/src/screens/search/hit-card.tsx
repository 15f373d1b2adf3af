import type { SearchHit } from '@quire/client';
import { Link } from '@tanstack/react-router';
import { Highlighted } from '../../components/content/highlighted.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { nameOfJudged, toggleExpected, useQuestions } from '../../data/evaluation-set.ts';
import { writeMarks } from '../../data/marks.ts';
import { useWorkspace } from '../../data/workspace.ts';

interface HitCardProps {
  hit: SearchHit;
  rank: number;
  query: string;
  /** Rank in the other column; null if it is not there, undefined without another column. */
  before: number | null | undefined;
}

export function HitCard({ hit, rank, query, before }: HitCardProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const { headings, documentName, boxes, highlightBoxes, text, highlights, relevance, explain } = hit;
  const places = highlightBoxes.length > 0 ? highlightBoxes : boxes;
  const page = places[0]?.page;
  return (
    <li className="border-b border-line py-3">
      <div className="flex items-baseline gap-2">
        <span className="w-6 shrink-0 text-right text-muted tabular-nums">{rank}</span>
        <div className="min-w-0 flex-1">
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
              <Link
                to="/w/$ws/collections/$col/documents/$doc"
                params={{ ws, col: hit.collectionId, doc: hit.documentId }}
                search={{ chunk: hit.chunkId, page, mark: writeMarks(places) }}
                data-hit
                className="font-medium no-underline hover:underline"
              >
                {documentName}
              </Link>
              {page !== undefined && <span className="text-sm text-muted">page {page}</span>}
              {headings.length > 0 && <span className="text-sm text-muted">{headings.join(' › ')}</span>}
              {before !== undefined && <Shift rank={rank} before={before} />}
            </div>
            <RightAnswer query={query} documentId={hit.documentId} />
          </div>
          <p className="mt-0.5 leading-relaxed">
            <Highlighted text={text} ranges={highlights} />
          </p>
          <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            <Meter label="relevance" value={relevance} text={relevance.toFixed(2)} />
            {explain !== undefined && <Explain explain={explain} />}
          </div>
        </div>
      </div>
    </li>
  );
}

const Meter = ({
  label,
  value,
  text,
  tone = 'bg-accent',
}: {
  label: string;
  value: number;
  text: string;
  tone?: string;
}): React.ReactElement => (
  <span className="inline-flex items-center gap-1.5">
    {label}
    <span className="inline-block h-1.5 w-14 overflow-hidden rounded-full bg-hover" aria-hidden="true">
      <span className={`block h-full ${tone}`} style={{ width: `${Math.max(0, Math.min(1, value)) * 100}%` }} />
    </span>
    <span className="tabular-nums">{text}</span>
  </span>
);

/** Rank and raw score of both legs, whose bars fall with the rank, and the likeness where it counts. */
function Explain({
  explain: { dense, sparse, fused, likeness },
}: {
  explain: NonNullable<SearchHit['explain']>;
}): React.ReactElement {
  const leg = (label: string, found: typeof dense, tone: string): React.ReactElement =>
    found === null ? (
      <span>{label} –</span>
    ) : (
      <Meter
        label={label}
        value={1 / Math.sqrt(found.rank)}
        text={`#${found.rank} (${found.score.toFixed(2)})`}
        tone={tone}
      />
    );
  return (
    <>
      {leg('meaning', dense, 'bg-accent')}
      {leg('words', sparse, 'bg-mark-line')}
      <span className="tabular-nums">fused {fused.toFixed(3)}</span>
      {likeness !== undefined && (
        <Meter label="likeness" value={likeness} text={likeness.toFixed(2)} tone="bg-accent" />
      )}
    </>
  );
}

function Shift({ rank, before }: { rank: number; before: number | null }): React.ReactElement {
  if (before === null) return <span className="text-sm text-ok">new</span>;
  const by = before - rank;
  if (by === 0) return <span className="text-sm text-muted">same rank</span>;
  return (
    <span className={`text-sm ${by > 0 ? 'text-ok' : 'text-warn'}`}>
      <Icon name={by > 0 ? 'up' : 'down'} className="size-3" />
      {by > 0 ? `up ${by}` : `down ${-by}`} from {before}
    </span>
  );
}

function RightAnswer({ query, documentId }: { query: string; documentId: string }): React.ReactElement {
  const { id: ws } = useWorkspace();
  const isExpected = useQuestions(ws).some(
    (each) => each.query === query && each.documents.some((judged) => nameOfJudged(judged) === documentId),
  );
  return (
    <Button
      kind="quiet"
      icon={isExpected ? 'check' : 'star'}
      aria-pressed={isExpected}
      title="Adds the question and this document to the evaluation"
      className="-my-0.5 min-h-6 py-0 text-sm"
      onClick={() => toggleExpected(ws, query, documentId)}
    >
      {isExpected ? 'Expected answer' : 'Right answer'}
    </Button>
  );
}
