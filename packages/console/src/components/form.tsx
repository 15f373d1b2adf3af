/**
 * The form of the console: native fields with names, and errors of the service at their field. The place of an error
 * (`loc: ["body", "chunking", "maxTokens"]`) is the name of its field (`chunking.maxTokens`); errors without a field
 * are shown above the buttons.
 */
import { QuireError, type ErrorDetail } from '@quire/client';
import { useBlocker } from '@tanstack/react-router';
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type SyntheticEvent,
} from 'react';
import type { Permission } from '../data/workspace.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { ErrorBox } from './error-box.tsx';

interface FormState {
  errors: Readonly<Record<string, string>>;
  /** Fields that show their errors themselves. */
  names: Set<string>;
}

const FormContext = createContext<FormState>({ errors: {}, names: new Set() });

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

interface FieldProps {
  name: string;
  label: string;
  help?: React.ReactNode;
  isRequired?: boolean;
}

interface Control {
  id: string;
  name: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

/** Registers the field as the place of its errors, and returns its present one. */
export function useFieldError(name: string): string | undefined {
  const { errors, names } = useContext(FormContext);
  useEffect(() => {
    names.add(name);
    return () => void names.delete(name);
  }, [name, names]);
  return errors[name];
}

/** Label, help and error of a field around any control, which gets its attributes. */
export function Field({
  name,
  label,
  help,
  isRequired = false,
  children,
}: FieldProps & { children: (control: Control) => React.ReactNode }): React.ReactElement {
  const id = useId();
  const error = useFieldError(name);
  const described = [help === undefined ? '' : `${id}-help`, error === undefined ? '' : `${id}-error`].filter(Boolean);
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {label}
        {!isRequired && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <div className="mt-1">
        {children({
          id,
          name,
          'aria-invalid': error !== undefined,
          'aria-describedby': described.join(' ') || undefined,
          'aria-required': isRequired || undefined,
        })}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="mt-1 text-danger">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="mt-1 text-sm text-muted">
          {help}
        </p>
      )}
    </div>
  );
}

export const TextField = ({
  name,
  label,
  help,
  isRequired,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'name' | 'required'>): React.ReactElement => (
  <Field name={name} label={label} help={help} isRequired={isRequired ?? false}>
    {(control) => <input autoComplete="off" {...rest} {...control} className="input w-full" />}
  </Field>
);

export const TextAreaField = ({
  name,
  label,
  help,
  isRequired,
  ...rest
}: FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'required'>): React.ReactElement => (
  <Field name={name} label={label} help={help} isRequired={isRequired ?? false}>
    {(control) => <textarea rows={3} {...rest} {...control} className="input w-full" />}
  </Field>
);

export const SelectField = ({
  name,
  label,
  help,
  isRequired,
  options,
  ...rest
}: FieldProps &
  Omit<ComponentProps<'select'>, 'name' | 'required'> & {
    options: readonly { value: string; label: string }[];
  }): React.ReactElement => (
  <Field name={name} label={label} help={help} isRequired={isRequired ?? false}>
    {(control) => (
      <select {...rest} {...control} className="input w-full">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

/** Several choices of a list; the form has one value of the name for each chosen one (`FormData.getAll`). */
export function ChoicesField({
  name,
  label,
  help,
  isRequired = false,
  options,
  defaultValues = [],
}: FieldProps & {
  options: readonly { value: string; label: string }[];
  defaultValues?: readonly string[];
}): React.ReactElement {
  const id = useId();
  const error = useFieldError(name);
  return (
    <fieldset aria-describedby={`${id}-help`} aria-invalid={error !== undefined} tabIndex={-1}>
      <legend className="font-medium">
        {label}
        {!isRequired && <span className="font-normal text-muted"> (optional)</span>}
      </legend>
      <div className="mt-1 max-h-48 space-y-1 overflow-auto">
        {options.map((option) => (
          <label key={option.value} className="flex items-center gap-2">
            <input
              type="checkbox"
              name={name}
              value={option.value}
              defaultChecked={defaultValues.includes(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className="mt-1 text-sm text-muted">
        {error !== undefined && <span className="block text-base text-danger">{error}</span>}
        {help}
      </p>
    </fieldset>
  );
}
