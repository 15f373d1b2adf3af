/** Lists the workspaces of the root key; creates the first one. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ErrorBox } from '../components/states/error-box.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { Skeleton } from '../components/page.tsx';
import { Time } from '../components/content/time.tsx';
import { workspacesQuery } from '../session/home.ts';
import { useRootClient } from '../session/root-client.ts';
import { Logo } from './logo.tsx';

export function WorkspacePicker(): React.ReactElement {
  const quire = useRootClient();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(workspacesQuery(quire));
  const create = async (name: string | undefined): Promise<void> => {
    const { id } = await quire.workspaces.create({ name } as never);
    await cache.invalidateQueries({ queryKey: ['workspaces'] });
    await navigate({ to: '/w/$ws/start', params: { ws: id } });
  };
  return (
    <main className="mx-auto max-w-lg p-6 pt-[10dvh]">
      <Logo />
      <h1 className="mt-8 mb-3 font-display text-2xl">Workspaces</h1>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      <ul className="card divide-y divide-line empty:hidden">
        {data?.items.map(({ id, name, createdAt }) => (
          <li key={id}>
            <Link
              to="/w/$ws/start"
              params={{ ws: id }}
              className="flex justify-between gap-4 px-4 py-2.5 hover:bg-hover"
            >
              <span>{name}</span>
              <span className="text-sm text-muted">
                <Time at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="mt-8 mb-2 font-display text-lg">New workspace</h2>
      <Form action="Create workspace" onSubmit={(values) => create(values('name'))}>
        <TextField
          name="name"
          label="Name"
          isRequired
          help="A workspace keeps its documents and keys apart from others."
        />
      </Form>
    </main>
  );
}
