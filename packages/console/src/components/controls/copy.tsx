import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from '../icon.tsx';

/** Copies a text. Falls back to a selection, because pages over plain HTTP have no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  // The only way on a page without a secure context.
  document.execCommand('copy');
  area.remove();
}

function useCopied(text: string): [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return [isCopied, () => void copyText(text).then(() => setCopied(true))];
}

/** A short text, such as an id, that a click copies. */
export function CopyText({ text, shown = text }: { text: string; shown?: string }): React.ReactElement {
  const [isCopied, copy] = useCopied(text);
  return (
    <button
      type="button"
      className="rounded text-left font-mono text-[0.92em] hover:bg-hover"
      title="Copy"
      onClick={(event) => {
        event.stopPropagation();
        copy();
      }}
    >
      {shown} <Icon name={isCopied ? 'check' : 'copy'} className="size-3 text-muted" />
      <span className="sr-only" aria-live="polite">
        {isCopied ? 'copied' : 'copy'}
      </span>
    </button>
  );
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): React.ReactElement {
  const [isCopied, copy] = useCopied(text);
  return <IconButton icon={isCopied ? 'check' : 'copy'} label={isCopied ? 'Copied' : label} onClick={copy} />;
}
