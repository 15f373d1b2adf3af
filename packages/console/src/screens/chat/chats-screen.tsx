/** All chats, and the beginning of a new one. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FaultText, faultProps } from '../../components/forms/fault-text.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Empty, Page, Skeleton } from '../../components/page.tsx';
import { collectionsList } from '../../data/collections.ts';
import { configurationChoices } from '../../data/configuration-choices.ts';
import { faultAt } from '../../data/faults.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { readFilter } from '../search/request.ts';
import { ChatList } from './chat-list.tsx';
import { Composer } from './composer.tsx';
import { askQuestion } from './live-answers.ts';

export const route = createLazyRoute('/w/$ws/chat')({ component: ChatsScreen });

const api = getRouteApi('/w/$ws/chat');
const MAX_TITLE = 80;

function ChatsScreen(): React.ReactElement {
  return (
    <Page title="Chat" isFull>
      <div className="flex min-h-0 flex-1 border-t border-line max-md:flex-col max-md:overflow-auto">
        <ChatList isAlone />
        <NewChat />
      </div>
    </Page>
  );
}

function NewChat(): React.ReactElement {
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const search = api.useSearch();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { rows: collections, isLoading } = useList(collectionsList(workspace));
  const { data: configurations } = useQuery(configurationChoices(workspace));
  const [collectionId, setCollection] = useState(search.in);
  const [modelId, setModel] = useState('');
  const [instructions, setInstructions] = useState('');
  const [filter, setFilter] = useState('');
  const [refused, setRefused] = useState<{ error: unknown; query: string }>();
  const chosen =
    collectionId ?? (collections.find(({ documentCounts }) => documentCounts.ready > 0) ?? collections[0])?.id;

  const begin = async (query: string): Promise<void> => {
    setRefused(undefined);
    try {
      const parsed = readFilter(filter.trim() === '' ? undefined : filter);
      const chat = await quire.chats.create({
        title: query.slice(0, MAX_TITLE),
        collection_id: chosen ?? '',
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

  const fault = (field: string) => ({ id: `${field}-fault`, fault: faultAt(refused?.error, field) });
  const [ofCollection, ofModel, ofInstructions, ofFilter] = [
    fault('collection_id'),
    fault('modelId'),
    fault('instructions'),
    fault('filter'),
  ];
  const isFoldedRefused = [ofModel, ofInstructions, ofFilter].some(({ fault }) => fault !== undefined);
  if (isLoading) return <div className="flex-1 p-6">{<Skeleton />}</div>;
  if (collections.length === 0)
    return (
      <div className="flex-1">
        <Empty icon="chat" title="Nothing to ask about yet">
          Create a collection and add documents first.
        </Empty>
      </div>
    );
  return (
    <section aria-label="New chat" className="min-w-0 flex-1 overflow-auto px-4 py-8 md:px-8">
      <div className="mx-auto max-w-2xl space-y-4">
        <h2 className="font-display text-xl">Ask your documents</h2>
        <p className="text-muted">Every sentence of an answer leads to the lines that support it.</p>
        <label className="flex items-center gap-2">
          Collection
          <select
            name="collection_id"
            {...faultProps(ofCollection)}
            className="input flex-1"
            value={chosen ?? ''}
            onChange={({ target }) => setCollection(target.value)}
          >
            {collections.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <FaultText {...ofCollection} />
        <Composer
          isRunning={false}
          initial={search.q ?? ''}
          refused={refused && { query: refused.query, fault: faultAt(refused.error, 'title') }}
          onStop={() => undefined}
          onSend={(query) => void begin(query)}
        />
        {refused !== undefined && <ErrorBox error={refused.error} />}
        <details open={isFoldedRefused || undefined}>
          <summary className="text-sm text-muted">Model, instructions, filter</summary>
          <div className="mt-2 space-y-3 border-l-2 border-line pl-4">
            <label className="block">
              Model
              <select
                name="modelId"
                {...faultProps(ofModel)}
                className="input mt-1 w-full"
                value={modelId}
                onChange={({ target }) => setModel(target.value)}
              >
                <option value="">The default of the workspace</option>
                {configurations?.models.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <FaultText {...ofModel} />
            <label className="block">
              Instructions
              <textarea
                name="instructions"
                {...faultProps(ofInstructions)}
                className="input mt-1 w-full"
                rows={2}
                value={instructions}
                onChange={({ target }) => setInstructions(target.value)}
              />
            </label>
            <FaultText {...ofInstructions} />
            <label className="block">
              Filter as JSON
              <textarea
                name="filter"
                {...faultProps(ofFilter)}
                className="input mt-1 w-full font-mono text-sm"
                rows={2}
                spellCheck={false}
                placeholder='{"metadata.year": 2026}'
                value={filter}
                onChange={({ target }) => setFilter(target.value)}
              />
            </label>
            <FaultText {...ofFilter} />
          </div>
        </details>
      </div>
    </section>
  );
}
