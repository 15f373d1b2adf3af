/** The page where a key is entered. It is shown in place of any page, which opens afterwards at the same address. */
import { AuthenticationError, PermissionError } from '@quire/client';
import { useState, type SyntheticEvent } from 'react';
import { Button } from '../components/controls/button.tsx';
import { CopyText } from '../components/controls/copy.tsx';
import { ErrorBox } from '../components/states/error-box.tsx';
import { Logo } from '../shell/logo.tsx';
import { clientFor } from '../data/client.ts';
import { signIn, type SignInReason } from './session.ts';

export function SignIn({ reason }: { reason: SignInReason }): React.ReactElement {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const entered = form.get('key');
    const key = typeof entered === 'string' ? entered.trim() : '';
    setBusy(true);
    setError(undefined);
    try {
      await clientFor(key).whoami();
      signIn(key, form.get('keep') === 'on');
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <form className="w-full max-w-sm" onSubmit={(event) => void submit(event)}>
        <Logo />
        <h1 className="mt-8 font-display text-2xl">Sign in</h1>
        <p className="mt-2 text-muted">
          {reason === 'expired'
            ? 'This key is not valid: it may be mistyped, revoked or expired. Sign in with another one.'
            : 'Open the link that the service printed at its start, or enter an API key.'}
        </p>
        <label className="mt-6 block font-medium" htmlFor="key">
          API key
        </label>
        <input
          id="key"
          name="key"
          type="password"
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          className="input mt-1 w-full font-mono"
          aria-invalid={isRefused}
          aria-describedby={isRefused ? 'key-error' : undefined}
        />
        {isRefused && (
          <p id="key-error" role="alert" className="mt-1 text-danger">
            This key is not valid here.
            {error.requestId !== undefined && (
              <span className="block text-sm text-muted">
                Request <CopyText text={error.requestId} />
              </span>
            )}
          </p>
        )}
        <label className="mt-4 flex items-center gap-2">
          <input type="checkbox" name="keep" /> Keep me signed in on this device
        </label>
        <Button type="submit" kind="primary" className="mt-6 w-full" isBusy={isBusy}>
          Sign in
        </Button>
        {error !== undefined && !isRefused && <ErrorBox error={error} className="mt-4" />}
        <p className="mt-6 text-sm text-muted">
          The key stays in this browser. A lost root key is replaced by{' '}
          <code className="whitespace-nowrap">npm run keys -- root</code>.
        </p>
      </form>
    </main>
  );
}
