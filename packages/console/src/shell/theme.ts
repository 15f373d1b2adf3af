/** The colour theme: that of the system, or the one that was chosen on this device. */
import { useSyncExternalStore } from 'react';

export type Theme = 'auto' | 'light' | 'dark';
const NAME = 'quire.theme';
const listeners = new Set<() => void>();

function read(): Theme {
  const stored = localStorage.getItem(NAME);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

export function applyTheme(): void {
  const theme = read();
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function setTheme(theme: Theme): void {
  if (theme === 'auto') localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, read);
