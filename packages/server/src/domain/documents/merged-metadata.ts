import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { ApiError } from '../../errors.ts';
import { exceedsBytes } from '../../validation/json-size.ts';
import { limitProblem } from '../../validation/problem.ts';

const MAX_BYTES = INPUT_LIMITS.metadata.max;
/** Names that the service sets itself: of the members of an archive, and of mirrored files. They do not count. */
const OWN_NAMES = ['archivePath', 'source'];

/**
 * Throws a 422 if the metadata of a document would be too large after the patch. A patch that only removes names is
 * always accepted: earlier versions stored larger metadata.
 */
export function checkMergedMetadata(stored: Record<string, unknown>, patch: Record<string, unknown>): void {
  if (Object.values(patch).every((value) => value === null)) return;
  const merged = Object.entries({ ...stored, ...patch }).filter(
    ([name]) => patch[name] !== null && !OWN_NAMES.includes(name),
  );
  if (!exceedsBytes(Object.fromEntries(merged), MAX_BYTES)) return;
  const error = `metadata has at most ${MAX_BYTES} bytes, also together with what the document has already`;
  throw new ApiError(422, [{ loc: ['body', 'metadata'], ...limitProblem(MAX_BYTES, error).problem }]);
}
