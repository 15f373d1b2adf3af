/** Entries of the palette: pages of the navigation, and what screens add while they are shown. */
import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from '../components/icon.tsx';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Heading above the entry, such as `Actions`. */
  group: string;
  icon: IconName;
  run: () => void;
}

let added: readonly (readonly PaletteEntry[])[] = [];
let flat: readonly PaletteEntry[] = [];
const listeners = new Set<() => void>();
const change = (next: typeof added): void => {
  added = next;
  flat = next.flat();
  for (const listener of listeners) listener();
};

/** Adds entries while the component is shown. Pass a memoised array. */
export function usePaletteEntries(entries: readonly PaletteEntry[]): void {
  useEffect(() => {
    change([...added, entries]);
    return () => change(added.filter((each) => each !== entries));
  }, [entries]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useAddedEntries = (): readonly PaletteEntry[] => useSyncExternalStore(subscribe, () => flat);
