/** The questions of the evaluation with their expected documents, kept in this browser for each workspace. */
import { useSyncExternalStore } from 'react';

/** A document by name or id; with a grade where some answer better than others. */
export type Judged = string | { document: string; grade?: number };

/** A question in the format of `quire eval`. */
export interface Question {
  query: string;
  documents: Judged[];
}

export const nameOfJudged = (judged: Judged): string => (typeof judged === 'string' ? judged : judged.document);

const listeners = new Set<() => void>();
const cached = new Map<string, readonly Question[]>();
const storageName = (ws: string): string => `quire.evaluation.${ws}`;

function read(ws: string): readonly Question[] {
  const known = cached.get(ws);
  if (known !== undefined) return known;
  let stored: readonly Question[] = [];
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(storageName(ws)) ?? '[]');
    if (Array.isArray(parsed)) stored = parsed as Question[];
  } catch {
    // An unreadable set is replaced by the next change.
  }
  cached.set(ws, stored);
  return stored;
}

export function setQuestions(ws: string, questions: readonly Question[]): void {
  cached.set(ws, questions);
  localStorage.setItem(storageName(ws), JSON.stringify(questions));
  for (const listener of listeners) listener();
}

/** Adds questions; one with the same words as a new one is replaced. */
export function addQuestions(ws: string, added: readonly Question[]): void {
  const queries = new Set(added.map(({ query }) => query));
  setQuestions(ws, [...read(ws).filter(({ query }) => !queries.has(query)), ...added]);
}

/** Adds a document to the expected ones of a question, or removes it. */
export function toggleExpected(ws: string, query: string, documentId: string): void {
  const questions = read(ws);
  const found = questions.find((each) => each.query === query);
  if (found === undefined) return setQuestions(ws, [...questions, { query, documents: [documentId] }]);
  const others = found.documents.filter((each) => nameOfJudged(each) !== documentId);
  const documents = others.length < found.documents.length ? others : [...others, documentId];
  const rest = questions.map((each) => (each === found ? { query, documents } : each));
  return setQuestions(
    ws,
    rest.filter((each) => each.documents.length > 0),
  );
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQuestions = (ws: string): readonly Question[] => useSyncExternalStore(subscribe, () => read(ws));
