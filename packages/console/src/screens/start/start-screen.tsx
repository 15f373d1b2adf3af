/** The way from a file to a cited answer in four steps, each with its code. */
import type { Collection } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { CollectionOptions } from '../../components/collection-options.tsx';
import { Button, buttonClass } from '../../components/controls/button.tsx';
import { CodeSamples, type Sample } from '../../components/content/code.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatCount } from '../../components/content/format.ts';
import { FileField } from '../../components/forms/file-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { Progress, Status } from '../../components/states/status.tsx';
import { serviceUrl } from '../../data/client.ts';
import { collectionQuery, collectionsList } from '../../data/collections.ts';
import { stageOf } from '../../data/document-words.ts';
import { filesOf, filesOfInput } from '../../data/dropped-files.ts';
import { useList } from '../../data/list.ts';
import { addUploads, useUploads, type FileToSend } from '../../data/uploads.ts';
import { useWorkspace } from '../../data/workspace.ts';

export const route = createLazyRoute('/w/$ws/start')({ component: StartScreen });

const api = getRouteApi('/w/$ws/start');
const NEW_NAME = 'My documents';

function StartScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const search = api.useSearch();
  const list = useList(collectionsList(workspace));
  const chosen = search.in ?? list.rows[0]?.id;
  const { data: collection } = useQuery({ ...collectionQuery(workspace, chosen ?? ''), enabled: chosen !== undefined });
  if (list.error !== null) return <ErrorBox error={list.error} onRetry={list.retry} className="m-6" />;
  return (
    <Page title="From a file to a cited answer">
      {list.isLoading ? (
        <Skeleton />
      ) : (
        <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <ol className="space-y-5">
            <Step number={1} title="Add a document">
              <Drop collections={list.rows} chosen={collection} />
            </Step>
            <Step number={2} title="Watch it become searchable">
              <Watch collection={collection} />
            </Step>
            <Step number={3} title="Search">
              <Ask to="search" collection={collection} placeholder="Words, a name or a question" label="Search" />
            </Step>
            <Step number={4} title="Ask">
              <Ask to="chat" collection={collection} placeholder="A question about your documents" label="Ask" />
            </Step>
          </ol>
          <section aria-label="From code" className="min-w-0">
            <h2 className="mb-2 font-display text-lg">From code</h2>
            <CodeSamples samples={samplesOf(workspace.id, chosen)} />
            <p className="mt-2 text-sm text-muted">
              Put your key in place of <code>$KEY</code>.
            </p>
          </section>
        </div>
      )}
    </Page>
  );
}

const Step = ({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: React.ReactNode;
}): React.ReactElement => (
  <li className="flex gap-3">
    <span
      className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft font-medium text-accent"
      aria-hidden="true"
    >
      {number}
    </span>
    <div className="min-w-0 flex-1">
      <h2 className="mb-1.5 font-display text-lg">{title}</h2>
      {children}
    </div>
  </li>
);

function Drop({
  collections,
  chosen,
}: {
  collections: readonly Collection[];
  chosen: Collection | undefined;
}): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const navigate = api.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>();
  const add = async (files: readonly FileToSend[]): Promise<void> => {
    if (files.length === 0) return;
    try {
      const id = chosen?.id ?? (await quire.collections.create({ name: NEW_NAME })).id;
      addUploads(quire, ws, id, files);
      await navigate({ search: { in: id }, replace: true });
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <div
      className="card border-dashed px-4 py-5 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void filesOf(event.dataTransfer).then(add);
      }}
    >
      <FileField ref={input} label="Files" multiple onFiles={(files) => void add(filesOfInput(files))} />
      <p className="mb-3 text-muted">
        <Icon name="upload" className="mr-1" /> Drop files or folders here: PDF, Office, pictures, web pages, text,
        archives
      </p>
      <div className="flex flex-wrap items-center justify-center gap-3">
        <Button kind="primary" needs="write" onClick={() => input.current?.click()}>
          Choose files
        </Button>
        {collections.length > 0 && (
          <label className="flex items-center gap-1.5 text-sm text-muted">
            into
            <select
              className="input max-w-52"
              value={chosen?.id ?? ''}
              onChange={({ target }) => void navigate({ search: { in: target.value }, replace: true })}
            >
              <CollectionOptions collections={collections} />
            </select>
          </label>
        )}
      </div>
      {error !== undefined && <ErrorBox error={error} className="mt-3 text-left" />}
    </div>
  );
}

function Watch({ collection }: { collection: Collection | undefined }): React.ReactElement {
  const latest = useUploads().findLast(
    ({ collectionId, document }) => collectionId === collection?.id && document !== undefined,
  );
  if (collection === undefined) return <p className="text-muted">Nothing has been added yet.</p>;
  const { ready, indexing, failed } = collection.documentCounts;
  return (
    <div aria-live="polite" className="space-y-2">
      {latest?.document !== undefined && (
        <p className="flex flex-wrap items-center gap-2">
          {latest.name}
          <Status
            tone={latest.document.status === 'ready' ? 'ok' : latest.document.status === 'failed' ? 'danger' : 'busy'}
          >
            {latest.document.status === 'indexing' ? stageOf(latest.document) : latest.document.status}
          </Status>
          {latest.document.status === 'indexing' && (
            <span className="w-24">
              <Progress value={latest.document.progress} label="Progress" />
            </span>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <Link to="/w/$ws/collections/$col" params={{ ws: collection.workspaceId, col: collection.id }}>
          {collection.name}
        </Link>
        {formatCount(ready)} ready{indexing > 0 && `, ${formatCount(indexing)} indexing`}
        {failed > 0 && `, ${formatCount(failed)} failed`}
      </p>
    </div>
  );
}

interface AskProps {
  to: 'search' | 'chat';
  collection: Collection | undefined;
  placeholder: string;
  label: string;
}

function Ask({ to, collection, placeholder, label }: AskProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const navigate = useNavigate();
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('q');
        const q = typeof given === 'string' && given !== '' ? given : undefined;
        void navigate({ to: `/w/$ws/${to}`, params: { ws }, search: { q, in: collection?.id } });
      }}
    >
      <input
        name="q"
        aria-label={placeholder}
        placeholder={placeholder}
        className="input min-w-0 flex-1"
        data-search={to === 'search' ? '' : undefined}
      />
      <button type="submit" className={buttonClass('plain')}>
        <Icon name={to} /> {label}
      </button>
    </form>
  );
}

function samplesOf(ws: string, collectionId: string | undefined): Sample[] {
  const col = collectionId ?? '<collection>';
  const base = `${serviceUrl}/v1/w/${ws}`;
  return [
    {
      label: 'curl',
      code: `curl "${base}/col/${col}/docs/file-multipart?wait=30" \\\n  -H "Authorization: Bearer $KEY" -F file=@lease.pdf\n\ncurl ${base}/col/${col}/search \\\n  -H "Authorization: Bearer $KEY" \\\n  -d '{"query": "notice period"}'`,
    },
    {
      label: 'TypeScript',
      code: `import { Quire } from '@quire/client';\n\nconst quire = new Quire({ url: '${serviceUrl}', key: process.env.KEY });\nconst { documents } = quire.collection('${col}');\nawait documents.upload('lease.pdf').ready();\n\nconst chat = await quire.chats.create({ title: 'Lease', collection_id: '${col}' });\nconst answer = await quire.chat(chat.id).ask('How long is the notice period?').final;\nconsole.log(answer.citations[0]?.snippet);`,
    },
    {
      label: 'Assistant (MCP)',
      code: JSON.stringify(
        {
          mcpServers: { quire: { type: 'http', url: `${base}/mcp`, headers: { Authorization: 'Bearer $KEY' } } },
        },
        null,
        2,
      ),
    },
  ];
}
