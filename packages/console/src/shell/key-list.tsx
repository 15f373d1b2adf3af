import { memo } from 'react';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { keyCaps, useRegisteredKeys } from './keys.ts';

type Entry = ReturnType<typeof useRegisteredKeys>[number];

function groupBy(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return groups;
}

export const Keys = ({ of }: { of: string }): React.ReactElement => (
  <span className="whitespace-nowrap">
    {keyCaps(of).map((cap) => (
      <kbd key={cap} className="ml-1 rounded border border-line bg-sunken px-1.5 py-px font-sans text-xs">
        {cap}
      </kbd>
    ))}
  </span>
);

interface KeyListProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The keys of what is on screen, by `?`. */
export const KeyList = memo(function KeyList({ isOpen, onClose }: KeyListProps): React.ReactElement {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <Groups />
    </Dialog>
  );
});

function Groups(): React.ReactNode {
  const groups = groupBy(useRegisteredKeys());
  return [...groups].toReversed().map(([group, entries]) => (
    <section key={group} className="mb-4">
      <h3 className="mb-1 text-sm font-medium text-muted">{group}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1">
        {entries
          .flatMap(({ bindings }) => bindings)
          .map(({ key, label }) => (
            <div key={`${key} ${label}`} className="contents">
              <dt>{label}</dt>
              <dd className="text-right">
                <Keys of={key} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}
