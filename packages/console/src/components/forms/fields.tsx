/** The fields of a form: a label, a control with the field's name, help, and the error of the service. */
import { useContext, useEffect, useId, type ComponentProps } from 'react';
import { FormContext } from './form.tsx';

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
