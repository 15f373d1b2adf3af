/** Chooses the collections of a search among those that were read. */
import { ApiError, deleted, notFound, valueError, type ErrorDetail, type ErrorLocation } from '../../errors.ts';
import type { LiveIndex } from '../collections/live-indexes.ts';

/**
 * Returns the named collections in their order. Throws a 422 at `loc` that names the ids which do not exist or are not
 * allowed, or a 404 without `loc`; 410 for a deleted collection.
 */
export function namedCollections(
  ids: readonly string[],
  found: ReadonlyMap<string, LiveIndex>,
  { allowed, loc }: { allowed: readonly string[] | null; loc: ErrorLocation | undefined },
): LiveIndex[] {
  const problems: ErrorDetail[] = [];
  const searched = ids.flatMap((id, position) => {
    const known = allowed === null || allowed.includes(id) ? found.get(id) : undefined;
    if (known === undefined) {
      if (loc === undefined) throw notFound();
      problems.push(...valueError([...loc, position], 'there is no such collection', id).details);
      return [];
    }
    return [known];
  });
  if (problems.length > 0) throw new ApiError(422, problems);
  const gone = searched.find(({ collection }) => collection.deleted_at !== null);
  if (gone !== undefined) throw deleted('The collection is deleted', { collectionId: gone.collection.id });
  return searched;
}

/** Returns the collections that still exist; the others were deleted after their ids were read. */
export function existingCollections(ids: readonly string[], found: ReadonlyMap<string, LiveIndex>): LiveIndex[] {
  return ids.flatMap((id) => {
    const known = found.get(id);
    return known?.collection.deleted_at === null ? [known] : [];
  });
}
