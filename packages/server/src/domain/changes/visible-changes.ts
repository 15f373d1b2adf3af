import type { Principal } from '../keys/types.ts';
import type { PlacedChange } from './types.ts';

/** Returns the changes that a key may see: those of its collections; runs belong to the whole workspace. */
export async function visibleChanges(
  changes: readonly PlacedChange[],
  { collectionIds }: Principal,
): Promise<readonly PlacedChange[]> {
  if (collectionIds === null) return changes;
  return changes.filter(({ change }) => change.collectionId !== null && collectionIds.includes(change.collectionId));
}
