/** Entries of the palette: pages of the navigation, and what screens add while they are shown. */
import { useEffect, useSyncExternalStore } from 'react';
import type { IconName } from '../components/icon.tsx';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Text that is searched in place of the label. */
  text?: string;
  /** Text that distinguishes it from an entry with the same label, such as the name of its collection. */
  place?: string | undefined;
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

const MAX_SHOWN = 40;

/** Returns the entries that hold every word of the query, those that begin with it first. */
export function matching(entries: readonly PaletteEntry[], query: string, limit = MAX_SHOWN): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ label, text = label }: PaletteEntry): string => text.toLowerCase();
  const found = entries.filter((each) => words.every((word) => textOf(each).includes(word)));
  const first = words[0] ?? '';
  return [
    ...found.filter((each) => textOf(each).startsWith(first)),
    ...found.filter((each) => !textOf(each).startsWith(first)),
  ].slice(0, limit);
}

/** Returns the labels that several entries have. */
export function repeatedLabels(entries: readonly PaletteEntry[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { label } of entries) (seen.has(label) ? repeated : seen).add(label);
  return repeated;
}
