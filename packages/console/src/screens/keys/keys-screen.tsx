/** The keys of the workspace, and the dialogs that create a key or a scoped token. */
import type { Key } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formatDate } from '../../components/content/format.ts';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { NewButton } from '../../components/controls/new-button.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Status } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { toast } from '../../components/states/toast.tsx';
import { listOptions, useList } from '../../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { ChatSharing } from './chat-sharing.tsx';
import { NewKey } from './new-key.tsx';
import { NewToken } from './new-token.tsx';

export const route = createLazyRoute('/w/$ws/keys')({ component: KeysScreen });

const api = getRouteApi('/w/$ws/keys');

const keysList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Key>([id, 'keys'], (signal) => quire.keys.list({ limit: 100, signal }));

function columnsFor(ownKey: string, revoke: (key: Key) => void): readonly Column<Key>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      cell: ({ id, name }) => (
        <>
          <span className="font-medium">{name}</span>
          {id === ownKey && <span className="ml-2 text-muted">this key</span>}
        </>
      ),
    },
    {
      id: 'permission',
      header: 'Permission',
      width: '7rem',
      cell: ({ permission }) => (
        <span className={permission === 'admin' ? 'font-medium' : undefined}>{permission}</span>
      ),
    },
    {
      id: 'collections',
      header: 'Collections',
      width: '8rem',
      isWide: true,
      cell: ({ collectionIds }) => (collectionIds === null ? 'all' : collectionIds.length),
    },
    { id: 'hint', header: 'Ends with', width: '7rem', isWide: true, cell: ({ hint }) => <code>{hint}</code> },
    {
      id: 'id',
      header: 'Id',
      width: '8rem',
      isWide: true,
      cell: ({ id }) => <CopyText text={id} shown={id.slice(-8)} />,
    },
    {
      id: 'used',
      header: 'Last used',
      width: '8rem',
      isWide: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
    },
    { id: 'expires', header: 'Expires', width: '8rem', isWide: true, cell: (key) => <Expiry {...key} /> },
    {
      id: 'actions',
      header: <span className="sr-only">Actions</span>,
      width: '6.5rem',
      align: 'right',
      cell: (key) => (
        <Button
          kind="quiet"
          className="text-danger"
          needs="admin"
          onClick={() => revoke(key)}
          aria-label={`Revoke ${key.name}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

function Expiry({ expiresAt }: Key): React.ReactNode {
  if (expiresAt === null) return 'never';
  return Date.parse(expiresAt) < Date.now() ? (
    <Status tone="danger">expired</Status>
  ) : (
    <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
  );
}

function KeysScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const list = useList(keysList(workspace));
  const { new: creating } = api.useSearch();
  const navigate = api.useNavigate();
  const cache = useQueryClient();
  const [revoked, setRevoked] = useState<Key>();
  const ownKey = workspace.principal.keyId;
  const columns = useMemo(() => columnsFor(ownKey, setRevoked), [ownKey]);
  const open = (kind: 'key' | 'token') => () => void navigate({ search: { new: kind } });
  const close = (): void => void navigate({ search: {}, replace: true });
  const newKey = (
    <NewButton needs="admin" onClick={open('key')}>
      New key
    </NewButton>
  );
  const revoke = async ({ id, name }: Key): Promise<void> => {
    await workspace.quire.keys.revoke(id);
    toast.done(`Revoked “${name}”`);
    await cache.invalidateQueries({ queryKey: [workspace.id, 'keys'] });
  };
  return (
    <Page
      title="Keys and tokens"
      actions={
        <>
          <Button onClick={open('token')}>New token</Button>
          {newKey}
        </>
      }
    >
      <p className="mb-4 max-w-2xl text-muted">
        A key belongs to an application or a person, and stays valid until it is revoked or expires. A token is a
        short-lived right that an application signs with its key for one of its users.
      </p>
      <DataTable
        label="Keys"
        columns={columns}
        list={list}
        rowId={({ id }) => id}
        empty={<Empty icon="keys" title="No keys" action={newKey} />}
      />
      <ChatSharing />
      <NewKey isOpen={creating === 'key'} onClose={close} />
      <NewToken isOpen={creating === 'token'} onClose={close} />
      {revoked !== undefined && (
        <Confirm
          title={`Revoke “${revoked.name}”?`}
          action="Revoke the key"
          isOpen
          onClose={() => setRevoked(undefined)}
          onConfirm={() => revoke(revoked)}
        >
          Requests with this key, and with tokens that it signed, are refused at once. This cannot be undone.
          {revoked.id === ownKey && ' You are signed in with this key: revoking it signs you out.'}
        </Confirm>
      )}
    </Page>
  );
}
