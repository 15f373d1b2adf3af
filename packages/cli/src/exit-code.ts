/** Exit codes of the command; the guide lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** Some of the work failed, or a threshold was missed. */
  partial: 3,
  authentication: 4,
  /** Not found, or in conflict with the state. */
  state: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Whether a local file could not be read, as without permission or after it was deleted. */
export const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error;

/** An error that the command explains itself: a message, the next step, and the exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly next: string | undefined;

  constructor(message: string, { exitCode = EXIT.failed, next }: { exitCode?: ExitCode; next?: string } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
  }
}
