/** Pickers of files: a hidden field, and a button that opens it. */
import { useRef, type ComponentProps } from 'react';
import { Button, type ButtonProps } from '../controls/button.tsx';

interface FileFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'hidden' | 'onChange' | 'value'> {
  /** Name for assistive technology, such as “Sample file”. */
  label: string;
  onFiles: (files: FileList) => void;
}

/** A hidden field for files. A button or an entry of the palette opens its picker by `click()`. */
export const FileField = ({ label, onFiles, ...rest }: FileFieldProps): React.ReactElement => (
  <input
    {...rest}
    type="file"
    hidden
    aria-label={label}
    onChange={({ target }) => {
      if (target.files !== null && target.files.length > 0) onFiles(target.files);
      // The same file can be chosen again after a change.
      target.value = '';
    }}
  />
);

interface FileButtonProps extends Omit<ButtonProps, 'onClick'> {
  /** Name of the field, such as “Sample file”. */
  label: string;
  /** File extensions that the picker offers, such as `.csv,.txt`. */
  accept?: string;
  onFile: (file: File) => void;
}

/** A button that opens the picker of one file. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps): React.ReactElement {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <FileField
        ref={field}
        label={label}
        accept={accept}
        onFiles={([file]) => {
          if (file !== undefined) onFile(file);
        }}
      />
      <Button icon="upload" {...button} onClick={() => field.current?.click()} />
    </>
  );
}
