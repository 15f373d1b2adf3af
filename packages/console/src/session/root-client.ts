/** The client of the session, before a workspace is chosen. */
import type { Quire } from '@quire/client';
import { createContext, useContext } from 'react';

export const ClientProvider = createContext<Quire | null>(null);

export function useRootClient(): Quire {
  const quire = useContext(ClientProvider);
  if (quire === null) throw new Error('there is no session');
  return quire;
}
