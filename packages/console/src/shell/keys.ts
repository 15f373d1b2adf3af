/** Keyboard shortcuts: what is on screen registers its keys, and the list of keys shows exactly these. */
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface KeyBinding {
  /** As `KeyboardEvent.key`, such as `j` or `Enter`; `mod+` means ⌘ or Ctrl. */
  key: string;
  label: string;
  run: (event: KeyboardEvent) => void;
}

interface Registered {
  group: string;
  bindings: readonly KeyBinding[];
}

let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly Registered[]): void => {
  registered = next;
  for (const listener of listeners) listener();
};

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';
const OVERLAY = '[role=dialog]:not([data-toast]), [role=alertdialog]:not([data-toast]), [role=menu], [role=listbox]';

/** Whether a popup is open. Popups are in portals beside the page, so the page itself need not be searched. */
const hasOverlay = (): boolean =>
  [...document.body.children].some(
    (each) => each.id !== 'root' && (each.matches(OVERLAY) || each.querySelector(OVERLAY) !== null),
  );

function nameOf(event: KeyboardEvent): string {
  return event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  const target = event.target instanceof Element ? event.target : document.body;
  if (!name.startsWith('mod+') && (target.closest(TYPING) !== null || hasOverlay())) return;
  for (const { bindings } of registered.toReversed()) {
    const binding = bindings.find(({ key }) => key === name);
    if (binding === undefined) continue;
    event.preventDefault();
    binding.run(event);
    return;
  }
}

/** Registers the keys while the component is shown; of equal keys the one that was registered last runs. */
export function useKeys(group: string, bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  const names = bindings.map(({ key, label }) => `${key} ${label}`).join('\n');
  useEffect(() => {
    const entry: Registered = {
      group,
      bindings: latest.current.map(({ key, label }, index) => ({
        key,
        label,
        run: (event) => latest.current[index]?.run(event),
      })),
    };
    if (registered.length === 0) window.addEventListener('keydown', handle);
    change([...registered, entry]);
    return () => {
      change(registered.filter((each) => each !== entry));
      if (registered.length === 0) window.removeEventListener('keydown', handle);
    };
  }, [group, names]);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRegisteredKeys = (): readonly Registered[] => useSyncExternalStore(subscribe, () => registered);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const SHOWN: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→' };

/** Returns the caps of a key as this keyboard has them. */
export const keyCaps = (key: string): string[] =>
  key
    .split('+')
    .map((each) =>
      each === 'mod' ? (isApple ? '⌘' : 'Ctrl') : (SHOWN[each] ?? (each.length === 1 ? each.toUpperCase() : each)),
    );
