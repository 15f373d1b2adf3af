/** Reads retrieval sets from disk: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readJsonLines } from './json-lines.ts';

export interface TestSet {
  documents: { _id: string; title?: string; text: string }[];
  queries: { _id: string; text: string }[];
  /** Relevance grades by query and document. */
  relevance: Map<string, Map<string, number>>;
}

/** Queries without a relevant document are left out. */
export function readSet(directory: string): TestSet {
  const relevance = new Map<string, Map<string, number>>();
  for (const line of readFileSync(path.join(directory, 'qrels.tsv'), 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.trim().split('\t');
    if (query === undefined || document === undefined || grade === undefined) continue;
    const grades = relevance.get(query) ?? new Map<string, number>();
    relevance.set(query, grades.set(document, Number(grade)));
  }
  const queries = readJsonLines<TestSet['queries'][number]>(path.join(directory, 'queries.jsonl'));
  return {
    documents: readJsonLines(path.join(directory, 'corpus.jsonl')),
    queries: queries.filter((query) => [...(relevance.get(query._id)?.values() ?? [])].some((grade) => grade > 0)),
    relevance,
  };
}
