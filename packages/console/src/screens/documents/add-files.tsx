import { useMemo, useRef, useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { FileField } from '../../components/forms/file-field.tsx';
import { Icon } from '../../components/icon.tsx';
import { filesOf, filesOfInput } from '../../data/dropped-files.ts';
import { addUploads } from '../../data/uploads.ts';
import { useRefusal, useWorkspace } from '../../data/workspace.ts';
import { usePaletteEntries, type PaletteEntry } from '../../shell/palette-entries.ts';

/** Buttons that open the pickers of files and folders. */
export function AddFiles({ collectionId }: { collectionId: string }): React.ReactElement {
  const { id, quire } = useWorkspace();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const add = (chosen: FileList): void => addUploads(quire, id, collectionId, filesOfInput(chosen));
  usePaletteEntries(
    useMemo<PaletteEntry[]>(
      () => [
        { id: 'add-files', label: 'Add files', group: 'Actions', icon: 'upload', run: () => files.current?.click() },
        {
          id: 'add-folder',
          label: 'Add a folder',
          group: 'Actions',
          icon: 'upload',
          run: () => folder.current?.click(),
        },
      ],
      [],
    ),
  );
  return (
    <>
      <FileField ref={files} label="Files" multiple onFiles={add} />
      <FileField ref={folder} label="Folder" onFiles={add} {...{ webkitdirectory: '' }} />
      <Button needs="write" onClick={() => folder.current?.click()}>
        Add a folder
      </Button>
      <Button kind="primary" icon="upload" needs="write" onClick={() => files.current?.click()}>
        Add files
      </Button>
    </>
  );
}

/** The area that takes dropped files and folders. */
export function DropZone({
  collectionId,
  children,
}: {
  collectionId: string;
  children: React.ReactNode;
}): React.ReactElement {
  const { id, quire } = useWorkspace();
  const refusal = useRefusal('write');
  const [isOver, setOver] = useState(false);
  const holdsFiles = (event: React.DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const drop = (event: React.DragEvent): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (refusal !== undefined) return;
    void filesOf(event.dataTransfer).then((found) => addUploads(quire, id, collectionId, found));
  };
  return (
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-accent-soft/90 text-accent">
          <p className="flex items-center gap-2 text-lg font-medium">
            <Icon name="upload" className="size-6" /> {refusal ?? 'Drop files and folders to add them'}
          </p>
        </div>
      )}
    </div>
  );
}
