/** The setting of the workspace that decides whether its keys see the chats of each other. */
import type { Workspace } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SelectField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useRefusal, useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';

const OPTIONS = [
  { value: 'private', label: 'private: each key sees its own chats' },
  { value: 'workspace', label: 'shared: each key sees the chats of all keys' },
] as const;

const workspaceQuery = ({ id, quire }: WorkspaceContext) => ({
  queryKey: [id, 'workspace'],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Workspace> => quire.workspaces.get(id, { signal }),
});

export function ChatSharing(): React.ReactNode {
  const workspace = useWorkspace();
  const { id, quire } = workspace;
  const cache = useQueryClient();
  const { data } = useQuery({ ...workspaceQuery(workspace), enabled: useRefusal('admin') === undefined });
  if (data === undefined) return null;
  const save = async (values: FormValues): Promise<void> => {
    await quire.workspaces.update(id, { chatSharing: values('chatSharing') as Workspace['chatSharing'] });
    toast.done('Saved');
    await cache.invalidateQueries({ queryKey: [id] });
  };
  return (
    <section className="mt-8 max-w-md" aria-labelledby="chat-sharing">
      <h2 id="chat-sharing" className="mb-3">
        Chats
      </h2>
      <Form key={data.modifiedAt} action="Save" needs="admin" onSubmit={save}>
        <SelectField
          name="chatSharing"
          label="Who sees a chat"
          isRequired
          help="Users of tokens see only their own chats in both cases."
          options={OPTIONS}
          defaultValue={data.chatSharing}
        />
      </Form>
    </section>
  );
}
