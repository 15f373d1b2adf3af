/**
 * The form of the console: native fields with names, and errors of the service at their field. The place of an error
 * (`loc: ["body", "chunking", "maxTokens"]`) is the name of its field (`chunking.maxTokens`); errors without a field
 * are shown above the buttons.
 */
import { QuireError, type ErrorDetail } from '@quire/client';
import { useBlocker } from '@tanstack/react-router';
import { createContext, useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { Permission } from '../../data/workspace.ts';
import { Button } from '../controls/button.tsx';
import { CopyText } from '../controls/copy.tsx';
import { ErrorBox } from '../states/error-box.tsx';

interface FormState {
  errors: Readonly<Record<string, string>>;
  /** Fields that show their errors themselves. */
  names: Set<string>;
}

export const FormContext = createContext<FormState>({ errors: {}, names: new Set() });

/** The values of a form: texts by name, trimmed; fields that are left empty are undefined. */
export type FormValues = (name: string) => string | undefined;

interface FormProps {
  /** Sends the values; throws the error of the service. */
  onSubmit: (values: FormValues, form: FormData) => Promise<unknown>;
  action: string;
  /** Permission that sending needs. */
  needs?: Permission;
  onCancel?: () => void;
  children: React.ReactNode;
  className?: string;
}

const nameOf = ({ loc }: ErrorDetail): string => loc.slice(1).join('.');

/** Returns the messages of the fields by name. An error inside a field's value belongs to the field too. */
function errorsOf(error: unknown, names: ReadonlySet<string>): { errors: Record<string, string>; isPlaced: boolean } {
  const details = error instanceof QuireError ? error.detail : [];
  const errors: Record<string, string> = {};
  let isPlaced = details.length > 0;
  for (const detail of details) {
    const place = nameOf(detail);
    const field = [...names].find((name) => place === name || place.startsWith(`${name}.`));
    if (field === undefined) isPlaced = false;
    else errors[field] = [errors[field], detail.msg].filter(Boolean).join('; ');
  }
  return { errors, isPlaced };
}

export function Form({ onSubmit, action, needs, onCancel, children, className = '' }: FormProps): React.ReactElement {
  const element = useRef<HTMLFormElement>(null);
  const names = useRef(new Set<string>());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isDirty = useRef(false);
  const { errors, isPlaced } = errorsOf(error, names.current);

  useBlocker({
    // A browser's own question needs no focus handling and works on closing the tab too.
    shouldBlockFn: () => isDirty.current && !window.confirm('Leave without saving what you entered?'),
    enableBeforeUnload: () => isDirty.current,
  });

  useEffect(() => {
    if (error === undefined) return;
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    for (let at = invalid?.parentElement; at != null && at !== element.current; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
    invalid?.focus();
  }, [error]);

  const submit = async (event: SyntheticEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const values: FormValues = (name) => {
      const value = form.get(name);
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
    };
    setBusy(true);
    setError(undefined);
    try {
      isDirty.current = false;
      await onSubmit(values, form);
    } catch (failure) {
      isDirty.current = true;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormContext value={{ errors, names: names.current }}>
      <form
        ref={element}
        noValidate
        className={`space-y-4 ${className}`}
        onChange={() => (isDirty.current = true)}
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) element.current?.requestSubmit();
        }}
      >
        {children}
        {error !== undefined && !isPlaced && <ErrorBox error={error} />}
        {isPlaced && <Refused error={error} count={Object.keys(errors).length} />}
        <div className="flex justify-end gap-2 pt-1">
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
          <Button type="submit" kind="primary" isBusy={isBusy} needs={needs}>
            {action}
          </Button>
        </div>
      </form>
    </FormContext>
  );
}

/** Says that the fields above have faults, with the id of the request, which the log of the service has too. */
const Refused = ({ error, count }: { error: unknown; count: number }): React.ReactElement => (
  <p role="alert" className="text-sm text-danger">
    Nothing was saved: {count === 1 ? 'one field needs' : `${count} fields need`} a change.
    {error instanceof QuireError && error.requestId !== undefined && (
      <span className="text-muted">
        {' Request '}
        <CopyText text={error.requestId} />
      </span>
    )}
  </p>
);
