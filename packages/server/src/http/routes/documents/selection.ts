import type { z } from 'zod';
import { documentIds, readDocumentFilter } from '../../../domain/documents/filter.ts';
import type { DocumentCondition } from '../../../domain/documents/repository.ts';
import { valueError } from '../../../errors.ts';
import type { selectionBody } from './schemas.ts';

/** Returns the condition of a bulk request, which names its documents either by id or by filter. */
export function readSelection({ documentIds: ids, filter }: z.output<typeof selectionBody>): DocumentCondition {
  if (ids !== undefined && filter === undefined) return documentIds(ids);
  if (ids === undefined && filter !== undefined) return readDocumentFilter(filter, ['body', 'filter']);
  throw valueError(['body'], 'give either documentIds or filter');
}
