/** The key that this browser works with. It is kept in memory and in storage of the browser, never in an address. */
import { useSyncExternalStore } from 'react';

const NAME = 'quire.key';

export interface Session {
  key: string;
  /** Whether the key outlives the tab. */
  isKept: boolean;
}

/** Why the sign-in page is shown. */
export type SignInReason = 'none' | 'expired';

interface State {
  session: Session | null;
  reason: SignInReason;
}

let state: State = { session: readStored(), reason: 'none' };
const listeners = new Set<() => void>();

function readStored(): Session | null {
  const own = sessionStorage.getItem(NAME);
  if (own !== null) return { key: own, isKept: localStorage.getItem(NAME) === own };
  const kept = localStorage.getItem(NAME);
  return kept === null ? null : { key: kept, isKept: true };
}

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Reads the key of `…/#key=…` and removes it from the address and the history entry. */
export function takeKeyFromAddress(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (key !== '') signIn(key, false);
}

export function signIn(key: string, isKept: boolean): void {
  sessionStorage.setItem(NAME, key);
  if (isKept) localStorage.setItem(NAME, key);
  change({ session: { key, isKept }, reason: 'none' });
}

export function signOut(reason: SignInReason = 'none'): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
  change({ session: null, reason });
}

/** Ends the session if the service refused this key; a newer key stays. */
export function expire(key: string): void {
  if (state.session?.key === key) signOut('expired');
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): State => useSyncExternalStore(subscribe, () => state);
