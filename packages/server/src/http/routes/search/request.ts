import type { z } from 'zod';
import type { DocumentCondition } from '../../../domain/documents/repository.ts';
import { readDocumentFilter } from '../../../domain/documents/filter.ts';
import { bothConditions, type DocumentScope } from '../../../domain/documents/scope.ts';
import type { SearchRequest } from '../../../domain/search/types.ts';
import type { RerankChoice } from '../../../database/tables.ts';
import type { rerankBody, searchBody } from './schemas.ts';

export const DEFAULT_LIMIT = 10;

/**
 * Returns the body with its defaults, and its filter as a condition together with that of the scope; throws a 422 for a
 * filter that is not valid.
 */
export function readSearch(
  body: z.output<typeof searchBody>,
  scope: DocumentScope | null,
): SearchRequest<DocumentCondition> {
  const filter = body.filter === undefined ? undefined : readDocumentFilter(body.filter, ['body', 'filter']);
  return {
    query: body.query,
    // The hits before the offset are found as well, and left out of the answer.
    limit: (body.limit ?? DEFAULT_LIMIT) + (body.offset ?? 0),
    mode: body.mode ?? 'hybrid',
    fusion: body.fusion === undefined ? undefined : definedOnly(body.fusion),
    filter: bothConditions(filter, scope?.condition),
    minScore: body.minScore,
    rerank: readRerank(body.rerank),
    highlight: body.highlight ?? false,
    explain: body.explain ?? false,
    metadataFrom: body.offset ?? 0,
  };
}

/** Number of hits that a reranker orders by default. */
const DEFAULT_TOP_K = 20;

/** Returns the choice with its default; null and undefined are kept. */
function readRerank(choice: z.output<typeof rerankBody> | null | undefined): RerankChoice | null | undefined {
  return choice && { model: choice.model, topK: choice.topK ?? DEFAULT_TOP_K };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function definedOnly<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
