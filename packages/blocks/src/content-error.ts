import type { ContentWarning } from './content-warning.ts';

/** The reason why a file has no searchable text (CONTRACT section 4, `error.type`). */
export type ContentErrorType =
  | 'no_text'
  /** An archive without a member that could be made searchable. */
  | 'no_readable_member'
  | 'corrupt'
  | 'encrypted'
  | 'unsupported'
  | 'too_large'
  | 'timeout'
  | 'parser_crashed'
  | 'provider_error'
  /** The disk of the service has no space left. */
  | 'storage_full'
  /** The workspace stores as much as it may. */
  | 'quota_exceeded'
  /** Extraction: the schema requires a value that the document does not contain. */
  | 'no_value'
  | 'internal';

/**
 * Thrown by parsers and other steps of the pipeline. The message is shown to the user, so it holds no path and no
 * secret.
 */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly type: ContentErrorType;

  /** The warnings of the parser that read the file without finding text. */
  readonly warnings: readonly ContentWarning[];

  constructor(
    type: ContentErrorType,
    message: string,
    options?: ErrorOptions & { warnings?: readonly ContentWarning[] },
  ) {
    super(message, options);
    this.type = type;
    this.warnings = options?.warnings ?? [];
  }
}
