/** States, stages and failures of documents in words, with the remedy of each failure. */
import type { Document } from '@quire/client';
import type { Tone } from '../components/states/status.tsx';

export const STATUS_TONE: Readonly<Record<Document['status'], Tone>> = {
  ready: 'ok',
  indexing: 'busy',
  failed: 'danger',
  deleted: 'neutral',
};

const STAGES: Readonly<Record<string, string>> = {
  queued: 'waiting',
  parsing: 'reading',
  chunking: 'cutting into chunks',
  embedding: 'embedding',
  writing: 'writing the index',
};

/** Returns what an unfinished document is doing. */
export const stageOf = ({ stage }: Pick<Document, 'stage'>): string => STAGES[stage ?? 'queued'] ?? String(stage);

interface Failure {
  title: string;
  remedy: string;
  /** Whether trying again without a change can help. */
  canRetry: boolean;
}

const FAILURES: Readonly<Record<string, Failure>> = {
  no_text: {
    title: 'No text',
    remedy: 'For scans in another script, install its OCR language, then retry.',
    canRetry: true,
  },
  corrupt: {
    title: 'Damaged file',
    remedy: 'Open it in its program, save it again, and upload that.',
    canRetry: false,
  },
  encrypted: { title: 'Protected by a password', remedy: 'Upload it without the password.', canRetry: false },
  unsupported: { title: 'Unsupported content', remedy: 'Save it in another format, such as PDF.', canRetry: false },
  too_large: { title: 'Too large', remedy: 'Split it, or raise the limit of the service.', canRetry: true },
  timeout: {
    title: 'Took too long',
    remedy: 'Retry when the service is less busy, or split the file.',
    canRetry: true,
  },
  parser_crashed: {
    title: 'The parser ended',
    remedy: 'Retry once; if it fails again, report the file.',
    canRetry: true,
  },
  provider_error: {
    title: 'A provider failed',
    remedy: 'Test the configuration of the embedder or parser, then retry.',
    canRetry: true,
  },
  no_readable_member: { title: 'Nothing readable in the archive', remedy: 'Look at its members.', canRetry: false },
  storage_full: { title: 'No storage space', remedy: 'Free some space, then retry.', canRetry: true },
  quota_exceeded: {
    title: 'Quota exceeded',
    remedy: 'Purge documents of the workspace, or raise its quota, then retry.',
    canRetry: true,
  },
  internal: { title: 'Internal error', remedy: 'Retry; if it fails again, look into the log.', canRetry: true },
};

export const failureOf = (type: string): Failure => FAILURES[type] ?? { title: type, remedy: '', canRetry: true };

const KINDS: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'text/markdown': 'Markdown',
  'text/html': 'HTML',
  'text/plain': 'Text',
  'text/csv': 'CSV',
  'application/json': 'JSON',
  'application/epub+zip': 'EPUB',
  'application/zip': 'Archive',
  'application/msword': 'Word (old)',
  'application/vnd.oasis.opendocument.text': 'ODF text',
  'image/x-icon': 'ICO picture',
  'application/vnd.ms-excel': 'Excel (old)',
  'application/vnd.ms-powerpoint': 'PowerPoint (old)',
};

/** Returns a short name of a content type. */
export function kindOf(contentType: string): string {
  const known = KINDS[contentType];
  if (known !== undefined) return known;
  if (contentType.includes('wordprocessing')) return 'Word';
  if (contentType.includes('spreadsheet')) return 'Spreadsheet';
  if (contentType.includes('presentation')) return 'Slides';
  if (contentType.startsWith('image/')) return `${contentType.slice(6).split('+')[0]?.toUpperCase()} picture`;
  return contentType;
}
