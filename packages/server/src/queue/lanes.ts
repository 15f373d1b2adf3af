/** The lanes of jobs: each has slots of its own in every worker process. */
import type { JobName } from './job-queue.ts';

export type LaneName = 'main' | 'small-documents' | 'connectors';

/** The lane of each job. */
export const LANES: Readonly<Record<JobName, LaneName>> = {
  'ingest-document': 'main',
  'ingest-small-document': 'small-documents',
  'process-run': 'main',
  'sync-connector': 'connectors',
  'delete-connector-documents': 'connectors',
  'sweep-index': 'main',
  'optimize-index': 'main',
  'rebuild-index': 'main',
  'purge-documents': 'main',
  'purge-content': 'main',
  'purge-collection': 'main',
  'purge-workspace': 'main',
};
