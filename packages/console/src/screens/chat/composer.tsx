import { useRef } from 'react';
import { Button } from '../../components/controls/button.tsx';

interface ComposerProps {
  isRunning: boolean;
  onSend: (query: string) => void;
  onStop: () => void;
  initial?: string;
}

/** The field for a question. Enter sends, Shift+Enter begins a line. */
export function Composer({ isRunning, onSend, onStop, initial = '' }: ComposerProps): React.ReactElement {
  const field = useRef<HTMLTextAreaElement>(null);
  const send = (): void => {
    const query = field.current?.value.trim() ?? '';
    if (query === '' || isRunning || field.current === null) return;
    field.current.value = '';
    onSend(query);
  };
  return (
    <form
      className="card flex items-end gap-2 p-2 outline-accent focus-within:outline-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
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
  );
}
