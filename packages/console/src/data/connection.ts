/** Whether the last request reached the service. */
import { useSyncExternalStore } from 'react';

let isConnected = true;
const listeners = new Set<() => void>();

export function noteConnection(reached: boolean): void {
  if (reached === isConnected) return;
  isConnected = reached;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsConnected = (): boolean => useSyncExternalStore(subscribe, () => isConnected);
