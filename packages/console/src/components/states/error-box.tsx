import { NotFoundError, PermissionError, QuireError, RateLimitError } from '@quire/client';
import { Button } from '../controls/button.tsx';
import { CopyText } from '../controls/copy.tsx';
import { Icon } from '../icon.tsx';

/** Returns what happened in words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof NotFoundError) return 'This is gone, or it is not visible to your key.';
  if (error instanceof RateLimitError)
    return `Too many requests. Try again in ${Math.ceil(error.retryAfter ?? 60)} seconds.`;
  if (error instanceof QuireError) {
    if (error.type === 'connection') return 'The service does not answer.';
    const messages = error.detail.map(({ loc, msg }) => (loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg));
    const text = messages.join('; ') || error.message;
    return error instanceof PermissionError ? `Your key may not do this. ${text}` : text;
  }
  return error instanceof Error ? error.message : String(error);
}

interface ErrorBoxProps {
  error: unknown;
  /** Repeats what failed. */
  onRetry?: () => void;
  className?: string;
}

/** An error in its place: message, type, request id and a way to try again. */
export function ErrorBox({ error, onRetry, className = '' }: ErrorBoxProps): React.ReactElement {
  const { type, requestId } = error instanceof QuireError ? error : { type: undefined, requestId: undefined };
  return (
    <div role="alert" className={`flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 ${className}`}>
      <Icon name="warning" className="mt-0.5 text-danger" />
      <div className="min-w-0 flex-1">
        <p>{messageOf(error)}</p>
        {type !== undefined && (
          <p className="mt-0.5 text-sm text-muted">
            <code>{type}</code>
            {requestId !== undefined && (
              <>
                {' · request '}
                <CopyText text={requestId} />
              </>
            )}
          </p>
        )}
        {onRetry !== undefined && (
          <Button icon="retry" className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
