/** The upload queue at the lower right, on every page while it holds files. */
import { useRouter } from '@tanstack/react-router';
import { memo, useCallback, useState } from 'react';
import type { LiveEvent } from '@quire/client';
import { Button, IconButton } from '../components/controls/button.tsx';
import { messageOf } from '../components/states/error-box.tsx';
import { formatBytes } from '../components/content/format.ts';
import { Progress, Status, type Tone } from '../components/states/status.tsx';
import { failureOf, stageOf, STATUS_TONE } from '../data/document-words.ts';
import { useLive } from '../data/live.ts';
import {
  clearUploads,
  followUploads,
  refreshUploads,
  retryUploads,
  useUploads,
  type UploadEntry,
} from '../data/uploads.ts';

const MAX_SHOWN = 200;

export const UploadPanel = memo(function UploadPanel(): React.ReactNode {
  const entries = useUploads();
  const [isOpen, setOpen] = useState(true);
  useLive(
    useCallback((event: LiveEvent) => {
      if (event.type === 'reset') void refreshUploads();
      else followUploads(event);
    }, []),
  );
  if (entries.length === 0) return null;
  const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const sent = entries.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const waiting = entries.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  const refused = entries.filter(({ state }) => state === 'refused').length;
  const title = waiting > 0 ? `Sending ${entries.length - waiting + 1} of ${entries.length} files` : summaryOf(entries);
  return (
    <section
      aria-label="Uploads"
      className="popup fixed right-4 bottom-[calc(1rem+var(--toasts))] z-20 w-96 max-w-[calc(100vw-2rem)]"
    >
      <header className="flex items-center gap-1 py-1.5 pr-1.5 pl-3">
        <h2 className="flex-1 font-medium" aria-live="polite">
          {title}
        </h2>
        <IconButton
          icon={isOpen ? 'down' : 'up'}
          label={isOpen ? 'Fold the list' : 'Show the list'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton icon="close" label={waiting > 0 ? 'Cancel the uploads' : 'Close the list'} onClick={clearUploads} />
      </header>
      {waiting > 0 && (
        <div className="px-3 pb-2">
          <Progress value={total === 0 ? 1 : sent / total} label="Bytes sent" />
          <p className="mt-1 text-sm text-muted">
            {formatBytes(sent)} of {formatBytes(total)}
          </p>
        </div>
      )}
      {isOpen && (
        // Scrollable by keyboard too.
        <ul className="max-h-64 overflow-auto border-t border-line" tabIndex={0} aria-label="Queue">
          {entries.slice(-MAX_SHOWN).map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </ul>
      )}
      {refused > 0 && (
        <p className="border-t border-line p-2">
          <Button icon="retry" onClick={retryUploads}>
            Send {refused} refused {refused === 1 ? 'file' : 'files'} again
          </Button>
        </p>
      )}
    </section>
  );
});

function summaryOf(entries: readonly UploadEntry[]): string {
  const count = (test: (entry: UploadEntry) => boolean): number => entries.filter(test).length;
  const parts = [
    [count(({ document }) => document?.status === 'ready'), 'ready'],
    [count(({ document }) => document?.status === 'indexing'), 'indexing'],
    [count(({ document }) => document?.status === 'failed'), 'failed'],
    [count(({ state }) => state === 'refused'), 'refused'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ');
}

function stateOf({ state, document, error, sentBytes, sizeBytes }: UploadEntry): { tone: Tone; text: string } {
  if (state === 'waiting') return { tone: 'neutral', text: 'waiting' };
  if (state === 'sending')
    return { tone: 'busy', text: sizeBytes === 0 ? 'sending' : `${Math.round((sentBytes / sizeBytes) * 100)} %` };
  if (state === 'refused') return { tone: 'danger', text: messageOf(error) };
  if (state === 'duplicate') return { tone: 'neutral', text: 'already there' };
  if (document === undefined) return { tone: 'neutral', text: '' };
  const tone = STATUS_TONE[document.status];
  if (document.status === 'indexing') return { tone, text: stageOf(document) };
  return { tone, text: document.status === 'failed' ? failureOf(document.error?.type ?? '').title : document.status };
}

function Entry(entry: UploadEntry): React.ReactElement {
  const router = useRouter();
  const { name, document, workspaceId, collectionId, state } = entry;
  const { tone, text } = stateOf(entry);
  return (
    <li className="flex items-baseline gap-2 px-3 py-1">
      <span className="min-w-0 flex-1 truncate" title={name}>
        {document === undefined ? (
          name
        ) : (
          <a
            href={
              router.buildLocation({
                to: '/w/$ws/collections/$col/documents/$doc',
                params: { ws: workspaceId, col: collectionId, doc: document.id },
              }).href
            }
            className="text-ink no-underline hover:underline"
            onClick={(event) => {
              event.preventDefault();
              void router.navigate({
                to: '/w/$ws/collections/$col/documents/$doc',
                params: { ws: workspaceId, col: collectionId, doc: document.id },
              });
            }}
          >
            {name}
          </a>
        )}
        {state === 'refused' && <span className="block text-sm whitespace-normal text-danger">{text}</span>}
      </span>
      <Status tone={tone}>{state === 'refused' ? 'refused' : text}</Status>
    </li>
  );
}
