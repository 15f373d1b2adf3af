import { useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { CodeSamples, type Sample } from './code.tsx';

interface CodeButtonProps {
  /** Title of the dialog and name of the button, such as “This chat as code”. */
  title: string;
  samples: () => readonly Sample[];
}

/** A button that shows what a screen does as calls of the API, to copy. */
export function CodeButton({ title, samples }: CodeButtonProps): React.ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="code" label={title} className="max-md:hidden" onClick={() => setOpen(true)} />
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)} width={44}>
        {isOpen && <CodeSamples samples={samples()} />}
      </Dialog>
    </>
  );
}
