/** Extracted values with their evidence; a chosen value is marked on the picture of its page. */
import type { RunFileOutcome } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../components/controls/copy.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { useObjectUrl } from '../../components/content/object-url.ts';
import { Status } from '../../components/states/status.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { runPictureQuery, type PicturePlace } from './queries.ts';

type Extraction = NonNullable<RunFileOutcome['extraction']>;
type Evidence = Extraction['evidence'][string];

/** Confidence below which a value is shown as doubtful. */
const DOUBTFUL = 0.5;

interface ExtractedProps {
  run: string;
  file: number;
  extraction: Extraction;
  isPaged: boolean;
}

export function Extracted({ run, file, extraction, isPaged }: ExtractedProps): React.ReactElement {
  const { data, evidence } = extraction;
  const leaves = leavesOf(data);
  // The page is beside the values from the start.
  const [chosen, setChosen] = useState(() => leaves.find(({ pointer }) => evidence[pointer]?.page != null)?.pointer);
  const shown = chosen === undefined ? undefined : evidence[chosen];
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="min-w-0">
        <h3 className="flex items-center gap-1 font-medium">
          Values <CopyButton text={JSON.stringify(data, null, 2)} label="Copy as JSON" />
        </h3>
        <dl className="mt-1 divide-y divide-line">
          {leaves.map(({ pointer, value }) => (
            <Value
              key={pointer}
              pointer={pointer}
              value={value}
              evidence={evidence[pointer]}
              isChosen={pointer === chosen}
              onChoose={() => setChosen(pointer)}
            />
          ))}
        </dl>
      </div>
      {shown !== undefined && isPaged && shown.page !== null && (
        <Picture run={run} file={file} page={shown.page} boxes={boxesOf(shown)} />
      )}
    </div>
  );
}

const boxesOf = ({ page, boxes }: Evidence): number[][] =>
  boxes.filter((box) => box.page === page).map(({ bbox }) => bbox);

interface ValueProps {
  pointer: string;
  value: unknown;
  evidence: Evidence | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function Value({ pointer, value, evidence, isChosen, onChoose }: ValueProps): React.ReactElement {
  return (
    <div className="grid grid-cols-[10rem_1fr] gap-x-3 max-md:grid-cols-[7rem_1fr] py-1.5">
      <dt className="text-muted">{pointer.slice(1).replaceAll('/', ' › ')}</dt>
      <dd>
        <span className="flex flex-wrap items-center gap-2">
          {value === null ? <span className="text-muted">not found</span> : textOf(value)}
          {evidence !== undefined && evidence.confidence < DOUBTFUL && <Status tone="warn">doubtful</Status>}
        </span>
        {evidence !== undefined && (
          <button
            type="button"
            aria-pressed={isChosen}
            className="mt-0.5 rounded text-left text-sm text-muted hover:underline aria-pressed:bg-mark aria-pressed:text-ink"
            onClick={onChoose}
          >
            “{evidence.quote}”{evidence.page !== null && `, page ${evidence.page}`}, confidence{' '}
            {evidence.confidence.toFixed(2)}
          </button>
        )}
      </dd>
    </div>
  );
}

function Picture(place: PicturePlace): React.ReactElement {
  const { data, error, refetch } = useQuery(runPictureQuery(useWorkspace(), place));
  const url = useObjectUrl(data);
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  return (
    <figure aria-label={`Page ${place.page}`} className="min-h-40">
      {url === undefined ? (
        <div className="skeleton h-96" />
      ) : (
        <img src={url} alt={`Page ${place.page} with the evidence marked`} className="w-full rounded shadow" />
      )}
    </figure>
  );
}

interface Leaf {
  /** JSON Pointer of the value. */
  pointer: string;
  value: unknown;
}

/** Returns the values of the data that hold no others, in order. */
function leavesOf(value: unknown, pointer = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, value }];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
