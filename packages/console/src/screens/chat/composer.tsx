import { useEffect, useRef } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { FaultText, faultProps } from '../../components/forms/fault-text.tsx';

interface ComposerProps {
  isRunning: boolean;
  onSend: (query: string) => void;
  onStop: () => void;
  initial?: string;
  /** The question that was not accepted, which is put back into the field, and its fault. */
  refused?: { query: string; fault: string | undefined } | undefined;
}

/** The field for a question. Enter sends, Shift+Enter begins a line. */
export function Composer(props: ComposerProps): React.ReactElement {
  const { isRunning, onSend, onStop, initial = '', refused } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [query, fault] = [refused?.query, refused?.fault];
  useEffect(() => {
    if (query === undefined || field.current === null || field.current.value !== '') return;
    field.current.value = query;
    field.current.focus();
  }, [query, fault]);
  const described = { id: 'query-fault', fault };
  const send = (): void => {
    const query = field.current?.value.trim() ?? '';
    if (query === '' || isRunning || field.current === null) return;
    field.current.value = '';
    onSend(query);
  };
  return (
    <>
      <FaultText {...described} />
      <form
        className="card flex items-end gap-2 p-2 outline-accent focus-within:outline-2"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          ref={field}
          name="query"
          {...faultProps(described)}
          data-search
          autoFocus
          rows={2}
          defaultValue={initial}
          aria-label="Question"
          placeholder="Ask about the documents of the collection"
          className="max-h-40 min-h-12 flex-1 resize-none bg-transparent px-1 outline-none"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {isRunning ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" kind="primary" icon="send">
            Ask
          </Button>
        )}
      </form>
    </>
  );
}
