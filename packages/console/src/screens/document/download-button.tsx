import type { DocumentDetail } from '@quire/client';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';

/** Downloads the original. A link without the key is made for it, so that the browser streams it to the disk. */
export function DownloadButton({ document: { collectionId, id } }: { document: DocumentDetail }): React.ReactElement {
  const { quire } = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    const { original } = await quire.collection(collectionId).documents.links(id);
    const link = document.createElement('a');
    link.href = original;
    link.download = '';
    link.click();
  };
  return (
    <Button
      icon="download"
      isBusy={isBusy}
      onClick={() => {
        setBusy(true);
        void download()
          .catch((error: unknown) => toast.failed('The download failed', error))
          .finally(() => setBusy(false));
      }}
    >
      Original
    </Button>
  );
}
