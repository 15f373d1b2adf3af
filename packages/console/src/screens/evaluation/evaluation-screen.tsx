/** Measures searches with questions and their expected documents, for one or two settings. */
import type { Quire } from '@quire/client';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Progress } from '../../components/states/status.tsx';
import { collectionsList } from '../../data/collections.ts';
import { setQuestions, useQuestions, type Question } from '../../data/evaluation-set.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { requestOf } from '../search/request.ts';
import { RECALL_DEPTH, scoreOf, type Score } from './measures.ts';
import { QuestionFiles } from './question-files.tsx';
import { Questions, Results } from './results.tsx';
import { SETTINGS, settingsOf, type SettingsName } from './settings.ts';

export const route = createLazyRoute('/w/$ws/evaluation')({ component: EvaluationScreen });

const api = getRouteApi('/w/$ws/evaluation');
export interface Outcome {
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
  settings: readonly SettingsName[],
  onProgress: (share: number) => void,
): Promise<Outcome> {
  const scores: Score[][] = settings.map(() => []);
  let done = 0;
  for (const question of questions) {
    for (const [index, name] of settings.entries()) {
      const asked = { query: question.query, filter: undefined, minScore: undefined, limit: RECALL_DEPTH };
      const { hits, tookMs } = await quire.search(requestOf(asked, { collectionId, ...settingsOf(name) }));
      scores[index]?.push(scoreOf(question, hits, tookMs));
      onProgress((done += 1) / (questions.length * settings.length));
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
  const set = (change: {
    in?: string | undefined;
    a?: SettingsName | undefined;
    b?: SettingsName | undefined;
  }): void => {
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
        <QuestionFiles
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
            <Link to="/w/$ws/search" params={{ ws }} className={buttonClass('plain')}>
              Go to the search
            </Link>
          }
        >
          Add questions with the documents that answer them; or search, and choose “Right answer” at a hit. A file of{' '}
          <code>quire eval</code> works too.
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Choice
              label="Collection"
              value={collectionId ?? ''}
              options={[
                { value: '', label: 'all collections' },
                ...collections.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(value) => set({ in: value || undefined })}
            />
            <Choice label="A" value={a} options={SETTINGS} onChange={(value) => set({ a: value as SettingsName })} />
            <Choice
              label="B"
              value={b ?? ''}
              options={[{ value: '', label: 'nothing' }, ...SETTINGS]}
              onChange={(value) => set({ b: (value || undefined) as SettingsName | undefined })}
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
  <label className="flex items-center gap-1.5 max-md:basis-full">
    <span className="text-sm text-muted max-md:w-20">{label}</span>
    <select className="input max-md:flex-1" value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  </label>
);
