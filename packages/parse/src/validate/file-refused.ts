/** Types of refusal, as clients see them (CONTRACT section 1). */
export type FileRefusalType =
  | 'unsupported_file_type'
  | 'file_type_mismatch'
  | 'corrupt'
  | 'encrypted'
  | 'file_empty'
  | 'file_too_large'
  | 'archive_too_large'
  | 'too_many_files';

/** Thrown before a file is read, when its name, content or size is not accepted. The message is shown to the user. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly type: FileRefusalType;
  /** Details for the client, such as the limit that was exceeded. */
  readonly context: Readonly<Record<string, unknown>> | undefined;

  constructor(type: FileRefusalType, message: string, context?: Readonly<Record<string, unknown>>) {
    super(message);
    this.type = type;
    this.context = context;
  }
}
