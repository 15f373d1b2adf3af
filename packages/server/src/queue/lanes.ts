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
  // Parsers may hold all slots of the main lane for minutes, and space must be free again within seconds.
  'purge-documents': 'small-documents',
  'purge-content': 'small-documents',
  'purge-collection': 'small-documents',
  'purge-workspace': 'small-documents',
};
