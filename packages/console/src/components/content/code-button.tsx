import { lazy, Suspense, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import type { Sample } from './code.tsx';

/** Loaded when a dialog opens, which few visits do. */
const CodeSamples = lazy(async () => ({ default: (await import('./code.tsx')).CodeSamples }));

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
        {isOpen && (
          <Suspense fallback={null}>
            <CodeSamples samples={samples()} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}
