/** The results of one file of a run. */
import type { Run, RunFileOutcome } from '@quire/client';
import { Button } from '../../components/controls/button.tsx';
import { formatBytes } from '../../components/content/format.ts';
import { saveFile } from '../../components/content/save-file.ts';
import { Status } from '../../components/states/status.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { OPERATIONS } from './edit-operations.ts';
import { Extracted } from './extracted.tsx';

interface FileOutcomeProps {
  run: Run;
  file: RunFileOutcome;
  /** Number of the file in the outcome, from 1. */
  number: number;
}

export function FileOutcome({ run, file, number }: FileOutcomeProps): React.ReactElement {
  const { name, parse, extraction, summary, classification, edit, errors } = file;
  const isPaged = parse !== undefined && parse.pageCount !== null;
  return (
    <section aria-label={name} className="card space-y-4 p-4">
      <h2 className="flex flex-wrap items-center gap-2 font-display text-lg">
        {name}
        {parse !== undefined && (
          <span className="font-sans text-sm text-muted">
            {parse.contentType}
            {parse.pageCount !== null && `, ${parse.pageCount} ${parse.pageCount === 1 ? 'page' : 'pages'}`}
            {parse.language !== null && `, ${parse.language}`}
          </span>
        )}
      </h2>
      {errors.map(({ module, type, message }) => (
        <p key={`${module} ${type}`} role="alert" className="rounded-md bg-danger-soft px-3 py-2">
          {module}: {message}
        </p>
      ))}
      {parse?.warnings?.map(({ type, message }) => (
        <p key={type} className="rounded-md bg-warn-soft px-3 py-2">
          {message}
        </p>
      ))}
      {extraction !== undefined && <Extracted run={run.id} file={number} extraction={extraction} isPaged={isPaged} />}
      {summary !== undefined && (
        <div>
          <h3 className="font-medium">Summary</h3>
          <p className="max-w-3xl whitespace-pre-wrap">{summary.text}</p>
        </div>
      )}
      {classification !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-medium">Labels</h3>
          {classification.labels.map(({ path, score }) => (
            <Status key={path.join('/')} tone="neutral">
              {path.join(' / ')} {score.toFixed(2)}
            </Status>
          ))}
          {classification.labels.length === 0 && <span className="text-muted">none applies</span>}
        </div>
      )}
      {edit !== undefined && <Changes edit={edit} />}
      {typeof parse?.markdown?.content === 'string' && (
        <details>
          <summary className="font-medium">Text</summary>
          <pre
            tabIndex={0}
            className="mt-2 max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap"
          >
            {parse.markdown.content}
          </pre>
        </details>
      )}
      <Outputs run={run} file={file} />
    </section>
  );
}

/** The changes that were made to the file; the changed file is among the outputs. */
const Changes = ({ edit }: { edit: NonNullable<RunFileOutcome['edit']> }): React.ReactElement => (
  <div>
    <h3 className="font-medium">Changes</h3>
    <ul className="space-y-0.5">
      {edit.operations.map(({ type, changes, notes = [] }, index) => (
        <li key={index}>
          {OPERATIONS.find((operation) => operation.type === type)?.label ?? type}: {changes}{' '}
          {changes === 1 ? 'place' : 'places'}
          {notes.map((note) => (
            <span key={note} className="block text-sm text-warn">
              {note}
            </span>
          ))}
        </li>
      ))}
    </ul>
  </div>
);

function Outputs({ run, file }: Pick<FileOutcomeProps, 'run' | 'file'>): React.ReactNode {
  const { quire } = useWorkspace();
  if (file.outputs.length === 0 || run.outputsDeletedAt !== null) return null;
  const save = async (path: string): Promise<void> => {
    try {
      const response = await quire.runs.output(run.id, path);
      saveFile(await response.blob(), path.split('/').at(-1) ?? path);
    } catch (error) {
      toast.failed('The file was not downloaded', error);
    }
  };
  return (
    <div className="flex flex-wrap gap-2">
      {file.outputs.map(({ path, sizeBytes }) => (
        <Button key={path} icon="download" onClick={() => void save(path)}>
          {path.split('/').at(-1)} <span className="text-muted">{formatBytes(sizeBytes)}</span>
        </Button>
      ))}
    </div>
  );
}
