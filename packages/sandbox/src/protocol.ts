/** The messages between a pool and its child processes, over an IPC channel with advanced serialisation. */
import type { ContentErrorType } from '@quire/blocks/content-error';

/** The tasks of a pool: inputs and outputs by name, all structured-clonable. */
export type TaskTable = Record<string, { input: unknown; output: unknown }>;

export interface TaskContext {
  /** Never aborted, as a task is stopped by killing its process; for readers that require a signal. */
  signal: AbortSignal;
  /** An empty directory for this task, cleared afterwards. */
  tempDir: string;
  /** Receives 0..1; throttled before it is sent. */
  onProgress: (fraction: number) => void;
}

export type TaskHandlers<Tasks extends TaskTable> = {
  [Name in keyof Tasks]: (input: Tasks[Name]['input'], context: TaskContext) => Promise<Tasks[Name]['output']>;
};

/** Size, in bytes, from which a result is written to a file, as it would block the channel. */
export const RESULT_FILE_BYTES = 8 * 1024 * 1024;

/** Name of that file within the child's directory. */
export const RESULT_FILE = 'result';

/** Signal that the watchdog sends if the memory limit is exceeded. SIGKILL would hide the reason from the pool. */
export const MEMORY_SIGNAL = 'SIGUSR2';

export interface RunMessage {
  type: 'run';
  task: string;
  input: unknown;
}

/** A handler's error in a form that can be sent over the channel. */
export type TaskFailure =
  | { kind: 'content'; type: ContentErrorType; message: string }
  /** A failure of the machine; a retry may succeed. */
  | { kind: 'system'; message: string; code: string }
  /** An unexpected failure of a reader; its process is not reused. */
  | { kind: 'unexpected'; message: string; stack: string };

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'progress'; fraction: number }
  | { type: 'done'; result: unknown; rssBytes: number }
  | { type: 'doneInFile'; rssBytes: number }
  | { type: 'failed'; failure: TaskFailure; rssBytes: number };

/** Environment variables with a child's settings; only they also reach the watchdog thread. */
export const CHILD_SETTINGS = {
  memoryBytes: 'SANDBOX_MEMORY_BYTES',
  directory: 'SANDBOX_DIRECTORY',
} as const;
