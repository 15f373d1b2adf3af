import type { DocumentScope } from '../documents/scope.ts';
import { scopeOf, type Principal } from '../keys/types.ts';
import type { PlacedChange } from './types.ts';

/** Returns those of the documents that are in the scope of a filtered token. */
export type ScopeCheck = (
  workspaceId: string,
  documentIds: readonly string[],
  scope: DocumentScope,
) => Promise<ReadonlySet<string>>;

/**
 * Returns the changes that a caller may see: for a limited key those of its collections, for a filtered token only
 * documents that its filter allows now. Runs belong to the whole workspace.
 */
export async function visibleChanges(
  workspaceId: string,
  changes: readonly PlacedChange[],
  principal: Principal,
  idsInScope: ScopeCheck,
): Promise<readonly PlacedChange[]> {
  const { collectionIds } = principal;
  const scope = scopeOf(principal);
  if (collectionIds === null && scope === null) return changes;
  const reached = changes.filter(({ change: { collectionId } }) => {
    return collectionId !== null && (collectionIds === null || collectionIds.includes(collectionId));
  });
  if (scope === null) return reached;
  const documents = reached.flatMap(({ change }) => (change.kind === 'document' ? change.id : []));
  const allowed = await idsInScope(workspaceId, documents, scope);
  return reached.filter(({ change }) => change.kind !== 'document' || allowed.has(change.id));
}
