/** Measures searches with questions and their expected documents, for one or two settings. */
import type { Quire } from '@quire/client';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { formatMs } from '../../components/format.ts';
import { Empty, Page } from '../../components/page.tsx';
import { Progress } from '../../components/status.tsx';
import { collectionsList } from '../../data/collections.ts';
import { nameOfJudged, setQuestions, useQuestions, type Question } from '../../data/evaluation-set.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import {
  readQuestions,
  RECALL_DEPTH,
  scoreOf,
  summaryOf,
  writeQuestions,
  type Score,
  type Summary,
} from './measures.ts';

export const route = createLazyRoute('/w/$ws/evaluation')({ component: EvaluationScreen });

const api = getRouteApi('/w/$ws/evaluation');
type Mode = 'hybrid' | 'dense' | 'sparse';
const MODES: readonly { value: Mode; label: string }[] = [
  { value: 'hybrid', label: 'Words and meaning' },
  { value: 'sparse', label: 'Words only' },
  { value: 'dense', label: 'Meaning only' },
];

interface Outcome {
  a: Score[];
  b: Score[] | undefined;
}

interface Run {
  outcome: Outcome | undefined;
  /** Share of the searches that have been answered; undefined while none runs. */
  progress: number | undefined;
  error: unknown;
}

/** Runs the searches one after the other, so that their times are comparable. */
async function runAll(
  quire: Quire,
  questions: readonly Question[],
  collectionId: string | undefined,
  modes: readonly Mode[],
  onProgress: (share: number) => void,
): Promise<Outcome> {
  const scores: Score[][] = modes.map(() => []);
  let done = 0;
  for (const question of questions) {
    for (const [index, mode] of modes.entries()) {
      const request = { query: question.query, mode, limit: RECALL_DEPTH };
      const { hits, tookMs } = await quire.search(
        collectionId === undefined ? request : { ...request, collectionIds: [collectionId] },
      );
      scores[index]?.push(scoreOf(question, hits, tookMs));
      onProgress((done += 1) / (questions.length * modes.length));
    }
  }
  return { a: scores[0] ?? [], b: scores[1] };
}

function EvaluationScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const questions = useQuestions(ws);
  const { in: collectionId, a = 'hybrid', b } = api.useSearch();
  const navigate = api.useNavigate();
  const { rows: collections } = useList(collectionsList(workspace));
  const [{ outcome, progress, error }, setRun] = useState<Run>({
    outcome: undefined,
    progress: undefined,
    error: undefined,
  });
  const set = (change: { in?: string | undefined; a?: Mode | undefined; b?: Mode | undefined }): void => {
    setRun({ outcome: undefined, progress: undefined, error: undefined });
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  };
  const run = async (): Promise<void> => {
    try {
      const found = await runAll(quire, questions, collectionId, b === undefined ? [a] : [a, b], (share) =>
        setRun({ outcome: undefined, progress: share, error: undefined }),
      );
      setRun({ outcome: found, progress: undefined, error: undefined });
    } catch (failure) {
      setRun({ outcome: undefined, progress: undefined, error: failure });
    }
  };
  return (
    <Page
      title="Evaluation"
      actions={
        <Files
          questions={questions}
          onError={(failure) => setRun({ outcome: undefined, progress: undefined, error: failure })}
        />
      }
    >
      {error !== undefined && <ErrorBox error={error} className="mb-3" />}
      {questions.length === 0 ? (
        <Empty
          icon="evaluation"
          title="No questions yet"
          action={
            <Link to="/w/$ws/search" params={{ ws }}>
              Go to the search
            </Link>
          }
        >
          Search, and choose “Right answer” at a hit; or open a file of <code>quire eval</code>.
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <Choice
              label="Collection"
              value={collectionId ?? ''}
              options={[
                { value: '', label: 'all collections' },
                ...collections.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(value) => set({ in: value || undefined })}
            />
            <Choice label="A" value={a} options={MODES} onChange={(value) => set({ a: value as Mode })} />
            <Choice
              label="B"
              value={b ?? ''}
              options={[{ value: '', label: 'nothing' }, ...MODES]}
              onChange={(value) => set({ b: (value || undefined) as Mode | undefined })}
            />
            <Button kind="primary" icon="start" isBusy={progress !== undefined} onClick={() => void run()}>
              Run {questions.length} {questions.length === 1 ? 'question' : 'questions'}
            </Button>
          </div>
          {progress !== undefined && (
            <div className="mt-4 max-w-md">
              <Progress value={progress} label="Progress of the evaluation" />
            </div>
          )}
          {outcome !== undefined && <Results outcome={outcome} />}
          <Questions
            questions={questions}
            outcome={outcome}
            onRemove={(query) =>
              setQuestions(
                ws,
                questions.filter((each) => each.query !== query),
              )
            }
          />
        </>
      )}
    </Page>
  );
}

const Choice = ({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}): React.ReactElement => (
  <label className="flex items-center gap-1.5">
    <span className="text-sm text-muted">{label}</span>
    <select className="input" value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  </label>
);

/** Opens and saves the file of `quire eval`. */
function Files({
  questions,
  onError,
}: {
  questions: readonly Question[];
  onError: (error: unknown) => void;
}): React.ReactElement {
  const { id: ws } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const added = readQuestions(await file.text());
      const queries = new Set(added.map(({ query }) => query));
      setQuestions(ws, [...questions.filter(({ query }) => !queries.has(query)), ...added]);
    } catch (error) {
      onError(error);
    }
  };
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([writeQuestions(questions)], { type: 'application/x-ndjson' }));
    link.download = 'questions.jsonl';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".jsonl,.ndjson,.txt"
        hidden
        aria-label="Questions"
        onChange={({ target }) => void open(target.files?.[0])}
      />
      <Button icon="upload" onClick={() => input.current?.click()}>
        Open a file
      </Button>
      {questions.length > 0 && (
        <Button icon="download" onClick={save}>
          Save as a file
        </Button>
      )}
    </>
  );
}

const MEASURES: readonly { name: string; read: (summary: Summary) => number; isTime?: boolean }[] = [
  { name: 'nDCG@10', read: ({ ndcg }) => ndcg },
  { name: 'Recall@100', read: ({ recall }) => recall },
  { name: 'MRR', read: ({ reciprocalRank }) => reciprocalRank },
  { name: 'p50', read: ({ p50Ms }) => p50Ms, isTime: true },
  { name: 'p95', read: ({ p95Ms }) => p95Ms, isTime: true },
];

function Results({ outcome: { a, b } }: { outcome: Outcome }): React.ReactElement {
  const first = summaryOf(a);
  const second = b === undefined ? undefined : summaryOf(b);
  return (
    <dl className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-5" aria-live="polite">
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

function Questions({ questions, outcome, onRemove }: QuestionsProps): React.ReactElement {
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
                {documents.length} {documents.length === 1 ? 'document' : 'documents'}
              </td>
              <td className="py-1.5 pr-3 text-right tabular-nums">{a?.toFixed(3)}</td>
              <td className="py-1.5 pr-3 text-right tabular-nums">{b?.toFixed(3)}</td>
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
