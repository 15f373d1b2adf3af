import type { z } from 'zod';
import { documentIds, readDocumentFilter } from '../../../domain/documents/filter.ts';
import type { DocumentCondition } from '../../../domain/documents/repository.ts';
import { valueError } from '../../../errors.ts';
import type { deletionBody } from './schemas.ts';

/** What is to be deleted: exactly one of the two ways to name it. */
export function readDeletion({ documentIds: ids, filter }: z.output<typeof deletionBody>): DocumentCondition {
  if (ids !== undefined && filter === undefined) return documentIds(ids);
  if (ids === undefined && filter !== undefined) return readDocumentFilter(filter, ['body', 'filter']);
  throw valueError(['body'], 'give either documentIds or filter');
}
