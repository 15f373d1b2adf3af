/** The questions of the evaluation with their expected documents, kept in this browser for each workspace. */
import { useSyncExternalStore } from 'react';

export interface Question {
  query: string;
  /** Ids of the documents that answer it. */
  documentIds: string[];
}

const listeners = new Set<() => void>();
const cached = new Map<string, readonly Question[]>();
const nameOf = (ws: string): string => `quire.evaluation.${ws}`;

function read(ws: string): readonly Question[] {
  const known = cached.get(ws);
  if (known !== undefined) return known;
  let stored: readonly Question[] = [];
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(nameOf(ws)) ?? '[]');
    if (Array.isArray(parsed)) stored = parsed as Question[];
  } catch {
    // An unreadable set is replaced by the next change.
  }
  cached.set(ws, stored);
  return stored;
}

export function setQuestions(ws: string, questions: readonly Question[]): void {
  cached.set(ws, questions);
  localStorage.setItem(nameOf(ws), JSON.stringify(questions));
  for (const listener of listeners) listener();
}

/** Adds a document to the expected ones of a question, or removes it. */
export function toggleExpected(ws: string, query: string, documentId: string): void {
  const questions = read(ws);
  const found = questions.find((each) => each.query === query);
  if (found === undefined) return setQuestions(ws, [...questions, { query, documentIds: [documentId] }]);
  const documentIds = found.documentIds.includes(documentId)
    ? found.documentIds.filter((id) => id !== documentId)
    : [...found.documentIds, documentId];
  const rest = questions.map((each) => (each === found ? { query, documentIds } : each));
  return setQuestions(
    ws,
    rest.filter((each) => each.documentIds.length > 0),
  );
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQuestions = (ws: string): readonly Question[] => useSyncExternalStore(subscribe, () => read(ws));
