/** One chat: its messages, the answer while it is written, and the source of a citation beside it. */
import type { Message } from '@quire/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CodeButton } from '../../components/content/code-button.tsx';
import { chatSamples } from '../../data/code-samples.ts';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Page, PageError, Skeleton } from '../../components/page.tsx';
import { toast } from '../../components/states/toast.tsx';
import { faultAt } from '../../data/faults.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { useKeys } from '../../shell/keys.ts';
import { lastSentence } from './answer-text.ts';
import { AnswerView } from './answer-view.tsx';
import { ChatActions } from './chat-actions.tsx';
import { ChatList } from './chat-list.tsx';
import { Composer } from './composer.tsx';
import {
  askQuestion,
  cancelQuestion,
  dropAnswer,
  followAnswer,
  useLiveAnswer,
  type LiveAnswer,
} from './live-answers.ts';
import { SourcePanel } from './source-panel.tsx';

export const route = createLazyRoute('/w/$ws/chat/$chat')({ component: ChatScreen });

const api = getRouteApi('/w/$ws/chat/$chat');
/** Number of messages that are shown; older ones are in the API. */
const SHOWN = 100;

const chatQuery = ({ id, quire }: WorkspaceContext, chatId: string) =>
  queryOptions({ queryKey: [id, 'chat', chatId], queryFn: ({ signal }) => quire.chat(chatId).get({ signal }) });

const historyQuery = ({ id, quire }: WorkspaceContext, chatId: string) =>
  queryOptions({
    queryKey: [id, 'history', chatId],
    queryFn: async ({ signal }): Promise<Message[]> => {
      const { items } = await quire.chat(chatId).history({ order: 'desc', limit: SHOWN, signal }).page();
      return items.toReversed();
    },
    staleTime: 0,
  });

/** Returns the stored messages, and those of the running answer in place of their stored form. */
function merged(stored: readonly Message[], live: LiveAnswer | undefined): Message[] {
  const newer = live?.state?.messages ?? [];
  const ids = new Set(newer.map(({ id }) => id));
  return [...stored.filter(({ id }) => !ids.has(id)), ...newer];
}

function ChatScreen(): React.ReactElement {
  const { chat: chatId } = api.useParams();
  const workspace = useWorkspace();
  const chat = useQuery(chatQuery(workspace, chatId));
  const history = useQuery(historyQuery(workspace, chatId));
  const error = chat.error ?? history.error;
  if (error !== null) return <PageError error={error} onRetry={() => void history.refetch()} />;
  return (
    <Page
      title={chat.data?.title ?? 'Chat'}
      isFull
      actions={
        chat.data !== undefined && (
          <>
            <ChatActions chat={chat.data} />
            <CodeButton title="This chat as code" samples={() => chatSamples(workspace.id, chatId)} />
          </>
        )
      }
    >
      <div className="relative flex min-h-0 flex-1 border-t border-line max-md:flex-col">
        <ChatList />
        {history.data === undefined ? (
          <div className="flex-1 p-6">{<Skeleton />}</div>
        ) : (
          <Conversation key={chatId} chatId={chatId} stored={history.data} />
        )}
      </div>
    </Page>
  );
}

function Conversation({ chatId, stored }: { chatId: string; stored: readonly Message[] }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const live = useLiveAnswer(chatId);
  const messages = merged(stored, live);
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const last = messages.at(-1);
  const isRunning = live?.isRunning ?? false;
  const unfinished = stored.findLast(({ status }) => status === 'streaming')?.id;
  useEffect(() => {
    // After a reload, or in a second tab.
    if (unfinished !== undefined && !isRunning) void followAnswer(quire, chatId, unfinished);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an answer that ended is not followed again
  }, [unfinished, quire, chatId]);
  useEffect(() => {
    if (isRunning || live === undefined || live.error !== undefined) return;
    void cache.invalidateQueries({ queryKey: [ws, 'history', chatId] }).then(() => dropAnswer(chatId));
  }, [isRunning, live, cache, ws, chatId]);

  const answer = messages.find(({ id }) => id === search.message);
  const citation = answer?.citations.find(({ index }) => index === search.source);
  const show = useCallback(
    (message: string | undefined, source: number | undefined) =>
      void navigate({ search: { message, source }, replace: true }),
    [navigate],
  );
  const step = (by: number): void => {
    const shown = answer ?? messages.findLast(({ citations }) => citations.length > 0);
    if (shown === undefined) return;
    const at = shown.citations.findIndex(({ index }) => index === search.source);
    const next = shown.citations[(at + by + shown.citations.length) % shown.citations.length] ?? shown.citations[0];
    show(shown.id, next?.index);
  };
  useKeys('Sources', [
    { key: ']', label: 'Next source', run: () => step(1) },
    { key: '[', label: 'Previous source', run: () => step(-1) },
  ]);
  const faultOfQuery = faultAt(live?.error, 'query');
  const isUnaccepted = isRunning && live?.query !== undefined && live.state === undefined;
  const stop = (): void => {
    if (isUnaccepted) return cancelQuestion(chatId);
    if (last?.status !== 'streaming') return;
    void quire
      .chat(chatId)
      .stop(last.id)
      .catch((error: unknown) => toast.failed('The answer could not be stopped', error));
  };
  return (
    <>
      <section aria-label="Conversation" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Messages messages={messages} live={live} chosen={search} onSource={show} />
        <div className="mx-auto w-full max-w-3xl px-4 pb-4">
          {isUnaccepted && <NotAccepted />}
          {live?.error !== undefined && (
            <ErrorBox
              error={live.error}
              className="mb-2"
              onRetry={() => {
                dropAnswer(chatId);
                if (live.query !== undefined && live.state === undefined) void askQuestion(quire, chatId, live.query);
                else void cache.invalidateQueries({ queryKey: [ws, 'history', chatId] });
              }}
            />
          )}
          <Composer
            isRunning={isRunning}
            onStop={stop}
            refused={faultOfQuery === undefined ? undefined : { query: live?.query ?? '', fault: faultOfQuery }}
            onSend={(query) => void askQuestion(quire, chatId, query)}
          />
        </div>
      </section>
      {answer !== undefined && citation !== undefined && (
        <SourcePanel
          citation={citation}
          count={answer.citations.length}
          onStep={step}
          onClose={() => show(undefined, undefined)}
        />
      )}
    </>
  );
}

const PATIENCE_MS = 5_000;

/** Says after a while that the question is still on its way. */
function NotAccepted(): React.ReactNode {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className={isLate ? 'mb-2 rounded-md bg-warn-soft px-3 py-2' : ''}>
      {isLate &&
        'The service has not accepted the question yet. It is sent again for two minutes, or until you stop it.'}
    </p>
  );
}

interface MessagesProps {
  messages: readonly Message[];
  live: LiveAnswer | undefined;
  chosen: { message?: string | undefined; source?: number | undefined };
  onSource: (message: string, source: number) => void;
}

function Messages({ messages, live, chosen, onSource }: MessagesProps): React.ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = messages.at(-1);
  useEffect(() => {
    // The end stays in view unless the user has scrolled up.
    if (isAtEnd.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [last, live?.query]);
  const spoken =
    last?.role === 'assistant'
      ? lastSentence(last.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' '))
      : '';
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Messages"
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
      }}
    >
      <div className="mx-auto max-w-3xl space-y-5 px-4 py-6">
        {messages.map((message) =>
          message.role === 'user' ? (
            <Question
              key={message.id}
              text={message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}
            />
          ) : (
            <AnswerItem
              key={message.id}
              message={message}
              chosen={chosen.message === message.id ? chosen.source : undefined}
              onSource={onSource}
            />
          ),
        )}
        {live !== undefined && live.state === undefined && live.query !== undefined && <Question text={live.query} />}
      </div>
      <p className="sr-only" aria-live="polite">
        {live?.isRunning === true ? spoken : ''}
      </p>
    </div>
  );
}

const Question = ({ text }: { text: string }): React.ReactElement => (
  <p className="ml-auto w-fit max-w-[85%] rounded-lg bg-accent-soft px-3.5 py-2 whitespace-pre-line">{text}</p>
);

function AnswerItem({
  message,
  chosen,
  onSource,
}: {
  message: Message;
  chosen: number | undefined;
  onSource: MessagesProps['onSource'];
}): React.ReactElement {
  const choose = useCallback((source: number) => onSource(message.id, source), [message.id, onSource]);
  return <AnswerView message={message} chosen={chosen} onSource={choose} />;
}
