/** Renames and deletes a chat. */
import type { Chat } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, type FormValues } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';

export function ChatActions({ chat: { id, title } }: { chat: Chat }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'rename' | 'delete'>();
  const close = (): void => setAsked(undefined);
  const rename = async (values: FormValues): Promise<void> => {
    await quire.chats.update(id, { title: values('title') ?? '' });
    void cache.invalidateQueries({ queryKey: [ws, 'chats'] });
    await cache.invalidateQueries({ queryKey: [ws, 'chat', id] });
    close();
  };
  const remove = async (): Promise<void> => {
    await quire.chats.delete(id);
    toast.done(`Deleted “${title ?? 'Chat'}”`);
    await navigate({ to: '/w/$ws/chat', params: { ws } });
    await cache.invalidateQueries({ queryKey: [ws, 'chats'] });
  };
  return (
    <>
      <Button needs="write" onClick={() => setAsked('rename')}>
        Rename
      </Button>
      <Button icon="trash" needs="write" aria-label="Delete this chat" onClick={() => setAsked('delete')} />
      <Dialog title="Rename the chat" isOpen={asked === 'rename'} onClose={close}>
        <Form action="Rename" needs="write" onSubmit={rename} onCancel={close}>
          <TextField name="title" label="Title" isRequired autoFocus defaultValue={title ?? ''} />
        </Form>
      </Dialog>
      <Confirm
        title={`Delete “${title ?? 'Chat'}”?`}
        action="Delete the chat"
        isOpen={asked === 'delete'}
        onClose={close}
        onConfirm={remove}
      >
        Its questions and answers are no longer shown. The documents stay.
      </Confirm>
    </>
  );
}
