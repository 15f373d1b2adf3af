/** The queries of both legs for OpenSearch. Keys are sent as text, because they exceed the numbers of JSON. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { MAX_EXPANSIONS, MAX_LOOKED_UP, MISSPELT_WORD } from '../misspelt.ts';
import type { IndexFilter } from '../search-index.ts';
import { MAX_TERMS } from './mapping.ts';

type Query = Record<string, unknown>;

/** Limit of OpenSearch on the clauses of a query is 1,024; a filter takes some. */
const MAX_CLAUSES = 1_000;
/** Maximum number of neighbours that an approximate query can return. */
const MAX_NEIGHBOURS = 10_000;

const keysOf = (keys: readonly bigint[] | BigInt64Array): string[] => Array.from(keys as readonly bigint[], String);

function documentsQuery(keys: readonly string[]): Query {
  const parts: Query[] = [];
  for (let start = 0; start < keys.length; start += MAX_TERMS) {
    parts.push({ terms: { document_key: keys.slice(start, start + MAX_TERMS) } });
  }
  return parts.length === 1 ? (parts[0] ?? {}) : { bool: { should: parts, minimum_should_match: 1 } };
}

/** Returns the clauses that a row must match; null if no row can. `shared` is the table, if its index has others. */
export function filterClauses(shared: string | null, filter: IndexFilter | undefined): Query[] | null {
  if (filter?.includeDocuments?.length === 0) return null;
  const clauses: Query[] = shared === null ? [] : [{ term: { table: shared } }];
  if (filter?.includeDocuments) clauses.push(documentsQuery(keysOf(filter.includeDocuments)));
  if (filter?.excludeDocuments?.length) {
    clauses.push({ bool: { must_not: [documentsQuery(keysOf(filter.excludeDocuments))] } });
  }
  return clauses;
}

/** Returns the words that must be looked up, because they may be misspelt or have stems in other languages. */
export function doubtfulTerms(terms: readonly QueryTerm[]): string[] {
  const doubtful = terms.flatMap((term) => {
    if (typeof term !== 'string') return [...term.terms, ...term.otherwise];
    return MISSPELT_WORD.test(term) ? [term] : [];
  });
  return [...new Set(doubtful)].slice(0, MAX_LOOKED_UP);
}

/** Builds the sparse query; `absent` are the doubtful terms that occur in no row. */
export function sparseQuery(terms: readonly QueryTerm[], absent: ReadonlySet<string>, filter: Query[]): Query {
  const exact = new Map<string, number>();
  const misspelt = new Map<string, number>();
  for (const term of terms) {
    const own = typeof term === 'string' ? [term] : term.terms;
    const otherwise = typeof term === 'string' ? [] : term.otherwise;
    const found = [own, otherwise].map((forms) => forms.filter((form) => !absent.has(form))).find((f) => f.length > 0);
    for (const form of found ?? own) {
      const chosen = found === undefined && MISSPELT_WORD.test(form) ? misspelt : exact;
      chosen.set(form, (chosen.get(form) ?? 0) + 1);
    }
  }
  const should = [
    ...[...exact].map(([value, boost]) => ({ term: { terms: { value, boost } } })),
    ...[...misspelt].map(([value, boost]) => ({
      fuzzy: { terms: { value, boost, fuzziness: 1, prefix_length: 1, max_expansions: MAX_EXPANSIONS } },
    })),
  ].slice(0, MAX_CLAUSES);
  return { bool: { should, minimum_should_match: 1, filter } };
}

/** Builds the dense query: approximate, or exact when more neighbours are requested than that can return. */
export function denseQuery(vector: Float32Array, limit: number, filter: Query[]): Query {
  const values = Array.from(vector);
  if (limit <= MAX_NEIGHBOURS) {
    const restricted = filter.length > 0 && { filter: { bool: { filter } } };
    return { knn: { vector: { vector: values, k: limit, ...restricted } } };
  }
  const params = { field: 'vector', query_value: values, space_type: 'cosinesimil' };
  const query = { bool: { filter: [...filter, { exists: { field: 'vector' } }] } };
  return { script_score: { query, script: { lang: 'knn', source: 'knn_score', params } } };
}

/** Converts the score of OpenSearch back to the cosine: (1 + cosine) / 2 approximately, 1 + cosine by the script. */
export const cosineOf = (score: number, limit: number): number => (limit <= MAX_NEIGHBOURS ? 2 * score - 1 : score - 1);
