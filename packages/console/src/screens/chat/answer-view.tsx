/** One message of an assistant: reasoning and searches folded, the text with its sources, the state at its end. */
import type { Citation, Message } from '@quire/client';
import { memo } from 'react';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CopyButton } from '../../components/controls/copy.tsx';
import { formatMs } from '../../components/content/format.ts';
import { Icon } from '../../components/icon.tsx';
import { Tip } from '../../components/controls/tip.tsx';
import { markedText, SOURCE, UNSUPPORTED } from './answer-text.ts';
import { SEARCH_TOOL, toolWords, type ToolPart } from './tool-words.ts';
import { SourceChip } from './source-chip.tsx';

interface AnswerViewProps {
  message: Message;
  /** Number of the citation that is shown beside the answer. */
  chosen: number | undefined;
  onSource: (index: number) => void;
}

const PLUGINS = [remarkGfm];

export const AnswerView = memo(function AnswerView({ message, chosen, onSource }: AnswerViewProps): React.ReactElement {
  const { parts, status, error, droppedMarks, usage, citations, confidence } = message;
  const isRunning = status === 'streaming';
  const isWithoutSource = status === 'done' && citations.length === 0;
  return (
    <article
      aria-busy={isRunning}
      aria-label="Answer"
      className={`max-w-[46rem] ${isWithoutSource ? 'border-l-4 border-warn pl-3' : ''}`}
    >
      {parts.map((part, index) => {
        if (part.type === 'text')
          return (
            <Text
              key={index}
              text={markedText(part.text, index, message)}
              citations={citations}
              chosen={chosen}
              onSource={onSource}
            />
          );
        if (part.type === 'reasoning') return <Reasoning key={index} text={part.text} />;
        return <ToolCall key={index} part={part} />;
      })}
      {isRunning && (
        <span
          className="inline-block h-4 w-2 animate-pulse rounded-sm bg-accent align-text-bottom"
          role="status"
          aria-label="The answer is being written"
        />
      )}
      {status === 'failed' && (
        <p role="alert" className="mt-2 rounded bg-danger-soft px-3 py-2">
          The answer failed: {error?.message ?? 'no reason was given'}
        </p>
      )}
      {status === 'stopped' && <p className="mt-2 text-sm text-muted">Stopped. What was written is kept.</p>}
      {!isRunning && (
        <footer className="mt-1 flex flex-wrap items-center gap-x-3 text-sm text-muted">
          <CopyButton text={asText(message)} label="Copy the answer with its sources" />
          {isWithoutSource ? (
            <span className="text-warn">No source in the collection</span>
          ) : (
            <span>
              {citations.length} {citations.length === 1 ? 'source' : 'sources'}
            </span>
          )}
          {confidence !== null && !isWithoutSource && <span>confidence {Math.round(confidence * 100)} %</span>}
          {droppedMarks > 0 && (
            <span className="text-warn">
              {droppedMarks} {droppedMarks === 1 ? 'reference was' : 'references were'} removed, because no text
              supports it
            </span>
          )}
          {usage !== null && <span>{formatMs(usage.totalMs)}</span>}
        </footer>
      )}
    </article>
  );
});

interface TextProps extends Omit<AnswerViewProps, 'message'> {
  text: string;
  citations: readonly Citation[];
}

function Text({ text, citations, chosen, onSource }: TextProps): React.ReactElement {
  return (
    <div className="answer leading-relaxed">
      <Markdown
        remarkPlugins={PLUGINS}
        components={{
          a: ({ href = '', children }) => {
            if (href.startsWith(SOURCE)) {
              const index = Number(href.slice(SOURCE.length));
              const citation = citations.find((each) => each.index === index);
              return <SourceChip index={index} citation={citation} isChosen={index === chosen} onSource={onSource} />;
            }
            if (href === UNSUPPORTED) return <Unsupported />;
            return (
              <a href={href} target="_blank" rel="noreferrer noopener">
                {children}
              </a>
            );
          },
          // A picture of another host would be a request to that host.
          img: ({ alt }) => <span className="text-muted">[picture: {alt}]</span>,
        }}
      >
        {text}
      </Markdown>
    </div>
  );
}

const Unsupported = (): React.ReactElement => (
  <Tip text="No text of the collection supports this sentence.">
    <button type="button" className="mx-0.5 rounded bg-warn-soft px-1 align-super text-[0.7rem] leading-4 text-warn">
      not supported
    </button>
  </Tip>
);

const Reasoning = ({ text }: { text: string }): React.ReactElement => (
  <details className="my-1 text-muted">
    <summary className="text-sm">Reasoning</summary>
    <p className="mt-1 border-l-2 border-line pl-3 text-sm whitespace-pre-line">{text}</p>
  </details>
);

function ToolCall({ part }: { part: ToolPart }): React.ReactElement {
  const { name, input } = part;
  const { query } = input;
  return (
    <details className="my-1 text-sm text-muted">
      <summary className="truncate">
        <Icon name={name === SEARCH_TOOL ? 'search' : 'code'} className="mr-1 size-3.5" />
        {toolWords(part)}
      </summary>
      <p className="mt-1 border-l-2 border-line pl-3">{typeof query === 'string' ? query : JSON.stringify(input)}</p>
    </details>
  );
}

/** Returns the answer with its sources below it. */
function asText({ parts, citations }: Message): string {
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n\n');
  const sources = citations.map(({ index, documentName, boxes, snippet }) => {
    const page = boxes[0]?.page;
    return `[${index}] ${documentName}${page === undefined ? '' : `, page ${page}`}: “${snippet}”`;
  });
  return sources.length === 0 ? text : `${text}\n\n${sources.join('\n')}`;
}
