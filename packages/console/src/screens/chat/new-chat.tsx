/** Begins a chat with its first question; a refusal stays beside the field that caused it. */
import type { Collection } from '@quire/client';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CollectionOptions } from '../../components/collection-options.tsx';
import { FaultText, faultProps, type Fault } from '../../components/forms/fault-text.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Empty, Skeleton } from '../../components/page.tsx';
import { collectionsList } from '../../data/collections.ts';
import { faultAt } from '../../data/faults.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { readFilter } from '../search/request.ts';
import { ChatSettingsFields, NO_SETTINGS, type ChatSettings } from './chat-settings.tsx';
import { Composer } from './composer.tsx';
import { askQuestion } from './live-answers.ts';

const api = getRouteApi('/w/$ws/chat');
const MAX_TITLE = 80;

export function NewChat(): React.ReactElement {
  const { rows: collections, isLoading } = useList(collectionsList(useWorkspace()));
  if (isLoading) return <div className="flex-1 p-6">{<Skeleton />}</div>;
  if (collections.length > 0) return <NewChatForm collections={collections} />;
  return (
    <div className="flex-1">
      <Empty icon="chat" title="Nothing to ask about yet">
        Create a collection and add documents first.
      </Empty>
    </div>
  );
}

function NewChatForm({ collections }: { collections: readonly Collection[] }): React.ReactElement {
  const search = api.useSearch();
  const [collectionId, setCollection] = useState(search.in);
  const [settings, setSettings] = useState(NO_SETTINGS);
  const withDocuments = collections.find(({ documentCounts }) => documentCounts.ready > 0);
  const chosen = collectionId ?? (withDocuments ?? collections[0])?.id ?? '';
  const { refused, begin } = useFirstQuestion(chosen, settings);
  const fault = (field: string): Fault => ({ id: `${field}-fault`, fault: faultAt(refused?.error, field) });
  return (
    <section
      aria-label="New chat"
      className="min-w-0 flex-1 overflow-auto px-4 py-8 max-md:flex-none max-md:overflow-visible max-md:py-4 md:px-8"
    >
      <div className="mx-auto max-w-2xl space-y-4">
        <h2 className="font-display text-xl">Ask your documents</h2>
        <p className="text-muted">Every sentence of an answer leads to the lines that support it.</p>
        <label className="flex items-center gap-2">
          Collection
          <select
            name="collection_id"
            {...faultProps(fault('collection_id'))}
            className="input flex-1"
            value={chosen}
            onChange={({ target }) => setCollection(target.value)}
          >
            <CollectionOptions collections={collections} />
          </select>
        </label>
        <FaultText {...fault('collection_id')} />
        <Composer
          isRunning={false}
          initial={search.q ?? ''}
          refused={refused && { query: refused.query, fault: faultAt(refused.error, 'title') }}
          onStop={() => undefined}
          onSend={(query) => void begin(query)}
        />
        {refused !== undefined && <ErrorBox error={refused.error} />}
        <ChatSettingsFields settings={settings} fault={fault} onChange={setSettings} />
      </div>
    </section>
  );
}

interface FirstQuestion {
  /** The question that the service refused, and its error. */
  refused: { error: unknown; query: string } | undefined;
  /** Creates the chat, sends the question and opens the chat. */
  begin: (query: string) => Promise<void>;
}

function useFirstQuestion(collectionId: string, { modelId, instructions, filter }: ChatSettings): FirstQuestion {
  const { id: ws, quire } = useWorkspace();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [refused, setRefused] = useState<FirstQuestion['refused']>();
  const begin = async (query: string): Promise<void> => {
    setRefused(undefined);
    try {
      const parsed = readFilter(filter.trim() === '' ? undefined : filter);
      const chat = await quire.chats.create({
        title: query.slice(0, MAX_TITLE),
        collection_id: collectionId,
        ...(modelId !== '' && { modelId }),
        ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
        ...(parsed !== undefined && { filter: parsed }),
      });
      void askQuestion(quire, chat.id, query);
      void cache.invalidateQueries({ queryKey: [ws, 'chats'] });
      await navigate({ to: '/w/$ws/chat/$chat', params: { ws, chat: chat.id } });
    } catch (error) {
      setRefused({ error, query });
    }
  };
  return { refused, begin };
}
