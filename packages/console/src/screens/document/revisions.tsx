/** The revisions of a document: which one searches find, when the content was replaced, and its replacement. */
import type { AuditEntry, DocumentDetail } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FileButton } from '../../components/forms/file-field.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatTime } from '../../components/content/format.ts';
import { Status } from '../../components/states/status.tsx';
import { failureOf, stageOf } from '../../data/document-words.ts';
import { useRefusal, useWorkspace } from '../../data/workspace.ts';

interface RevisionsProps {
  document: DocumentDetail;
  onChange: () => Promise<void>;
}

export function Revisions({ document, onChange }: RevisionsProps): React.ReactElement {
  const { quire } = useWorkspace();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const replace = async (file: File): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await quire.collection(document.collectionId).documents.replace(document.id, file);
      await onChange();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label="Revisions" className="space-y-2">
      <h2 className="font-medium">Revisions</h2>
      <CurrentRevisions {...document} />
      <History documentId={document.id} />
      {error !== undefined && <ErrorBox error={error} />}
      <FileButton label="New content" needs="write" isBusy={isBusy} onFile={(file) => void replace(file)}>
        Replace the content
      </FileButton>
    </section>
  );
}

function CurrentRevisions(document: DocumentDetail): React.ReactElement {
  const { revision, searchableRevision, status, error } = document;
  return (
    <ul className="space-y-1">
      <li className="flex items-center gap-2">
        {revision}
        {status === 'indexing' && <Status tone="busy">{stageOf(document)}</Status>}
        {status === 'failed' && <Status tone="danger">{failureOf(error?.type ?? '').title}</Status>}
        {searchableRevision === revision && <Status tone="ok">searches find it</Status>}
      </li>
      {searchableRevision !== null && searchableRevision !== revision && (
        <li className="flex items-center gap-2">
          {searchableRevision} <Status tone="ok">searches find it</Status>
          <span className="text-muted">until the newer one is ready</span>
        </li>
      )}
    </ul>
  );
}

const CONTENT_ACTIONS = /^(?:upload|replace)Document/;
const SHOWN = 50;

/** When the content came, from the audit log; keys that may not read it do not see this. */
function History({ documentId }: { documentId: string }): React.ReactNode {
  const { id: ws, quire } = useWorkspace();
  const refusal = useRefusal('admin');
  const { data = [] } = useQuery({
    queryKey: [ws, 'audit', 'document', documentId],
    enabled: refusal === undefined,
    queryFn: async ({ signal }): Promise<AuditEntry[]> => {
      const { items } = await quire.audit.list({ resourceId: documentId, limit: SHOWN, signal }).page();
      return items.filter(({ action, outcome }) => outcome !== 'refused' && CONTENT_ACTIONS.test(action));
    },
  });
  if (data.length === 0) return null;
  return (
    <ul className="space-y-0.5 text-sm text-muted">
      {data.map(({ id, action, at }) => (
        <li key={id}>
          {action.startsWith('replace') ? 'Replaced' : 'Added'} {formatTime(at)}
        </li>
      ))}
    </ul>
  );
}
