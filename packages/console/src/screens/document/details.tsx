/** The facts of a document, its name and metadata to edit, and its deletion. */
import type { DocumentDetail } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import { TextAreaField, TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { formatBytes, formatCount, formatTime } from '../../components/content/format.ts';
import { toast } from '../../components/states/toast.tsx';
import { failureOf, kindOf } from '../../data/document-words.ts';
import { readJsonObject } from '../../data/json-object.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { Revisions } from './revisions.tsx';

const api = getRouteApi('/w/$ws/collections/$col/documents/$doc');

export function Details({ document }: { document: DocumentDetail }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const place = api.useParams();
  const navigate = api.useNavigate();
  const cache = useQueryClient();
  const documents = quire.collection(place.col).documents;
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: [ws, 'document', place.doc] });
  const save = async (values: FormValues): Promise<void> => {
    const wanted = readJsonObject(values('metadata'), 'metadata');
    // A PATCH merges, so keys that were taken out are removed by null.
    const removed = Object.keys(document.metadata).filter((key) => !(key in wanted));
    const metadata = { ...wanted, ...Object.fromEntries(removed.map((key) => [key, null])) };
    await documents.update(place.doc, { name: values('name') ?? '', metadata });
    toast.done('Saved');
    await refresh();
  };
  return (
    <div className="space-y-6 p-4">
      <Facts document={document} />
      {document.warnings.length > 0 && (
        <section>
          <h2 className="font-medium">Warnings</h2>
          <ul className="mt-1 space-y-1.5">
            {document.warnings.map(({ type, message, pages }) => (
              <li key={`${type} ${message}`} className="rounded bg-warn-soft px-2.5 py-1.5">
                {message}
                {pages.length > 0 && (
                  <span className="block">
                    Pages{' '}
                    {pages.slice(0, 30).map((page) => (
                      <button
                        key={page}
                        type="button"
                        className="mr-1.5 text-accent underline"
                        onClick={() => void navigate({ search: (old) => ({ ...old, page }), replace: true })}
                      >
                        {page}
                      </button>
                    ))}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Form key={document.modifiedAt} action="Save" needs="write" onSubmit={save}>
        <TextField name="name" label="Name" isRequired defaultValue={document.name} />
        <TextAreaField
          name="metadata"
          label="Metadata"
          rows={8}
          spellCheck={false}
          defaultValue={JSON.stringify(document.metadata, null, 2)}
          help="A JSON object. Filters of searches and chats see a change at once."
        />
      </Form>
      <Revisions document={document} onChange={refresh} />
      <Removal document={document} onChange={refresh} />
    </div>
  );
}

function Facts({ document }: { document: DocumentDetail }): React.ReactElement {
  const { error } = document;
  const facts: [string, React.ReactNode][] = [
    ['Id', <CopyText key="id" text={document.id} />],
    ['Format', `${kindOf(document.contentType)} (${document.contentType})`],
    ['Size', formatBytes(document.sizeBytes)],
    ['Pages', document.pageCount === null ? 'none' : formatCount(document.pageCount)],
    ['Chunks', formatCount(document.chunkCount)],
    ['Language', document.language ?? 'unknown'],
    ['Added', formatTime(document.createdAt)],
    ['Ready', document.readyAt === null ? 'not yet' : formatTime(document.readyAt)],
    ['SHA-256', <CopyText key="sha" text={document.sha256} shown={`${document.sha256.slice(0, 16)}…`} />],
  ];
  return (
    <section>
      {error !== null && (
        <p className="mb-4 rounded bg-danger-soft px-3 py-2">
          <strong>{failureOf(error.type).title}:</strong> {error.message} {failureOf(error.type).remedy}
        </p>
      )}
      <dl className="grid grid-cols-[6rem_1fr] gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Removal({
  document,
  onChange,
}: {
  document: DocumentDetail;
  onChange: () => Promise<void>;
}): React.ReactElement {
  const { quire } = useWorkspace();
  const [isAsking, setAsking] = useState(false);
  const documents = quire.collection(document.collectionId).documents;
  if (document.status === 'deleted')
    return (
      <Button
        needs="write"
        onClick={() =>
          void documents
            .undelete(document.id)
            .then(onChange, (error: unknown) => toast.failed('It did not work', error))
        }
      >
        Restore this document
      </Button>
    );
  return (
    <>
      <Button kind="danger" icon="trash" needs="write" onClick={() => setAsking(true)}>
        Delete this document
      </Button>
      <Confirm
        title={`Delete “${document.name}”?`}
        action="Delete"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await documents.delete(document.id);
          await onChange();
        }}
      >
        No search or answer finds it from now on. It can be restored.
      </Confirm>
    </>
  );
}
