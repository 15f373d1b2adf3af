/** The messages between the pool and its child processes, over an IPC channel with advanced serialisation. */
import type { ContentErrorType } from '@quire/blocks/content-error';

/** What a pool can run: each task's name with its input and output, both structured-clonable. */
export type TaskTable = Record<string, { input: unknown; output: unknown }>;

export interface TaskContext {
  /** Aborted never: a task is stopped by killing its process. There for readers that want a signal. */
  signal: AbortSignal;
  /** An empty directory of this task alone, removed afterwards. */
  tempDir: string;
  /** 0..1; throttled before it is sent. */
  onProgress: (fraction: number) => void;
}

export type TaskHandlers<Tasks extends TaskTable> = {
  [Name in keyof Tasks]: (input: Tasks[Name]['input'], context: TaskContext) => Promise<Tasks[Name]['output']>;
};

/** Results whose large buffers would stall the channel are written to a file beside the task's directory instead. */
export const RESULT_FILE_BYTES = 8 * 1024 * 1024;

/** Name of that file within the child's directory. */
export const RESULT_FILE = 'result';

/** The signal by which a child's watchdog ends it for its memory: with SIGKILL the pool could not tell why. */
export const MEMORY_SIGNAL = 'SIGUSR2';

export interface RunMessage {
  type: 'run';
  task: string;
  input: unknown;
}

/** What a handler threw, in a form that survives the channel. */
export type TaskFailure =
  | { kind: 'content'; type: ContentErrorType; message: string }
  /** The machine's fault, not the file's: worth another attempt. */
  | { kind: 'system'; message: string; code: string }
  /** A reader failed in a way that it did not foresee; its process is not used again. */
  | { kind: 'unexpected'; message: string; stack: string };

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'progress'; fraction: number }
  | { type: 'done'; result: unknown; rssBytes: number }
  | { type: 'doneInFile'; rssBytes: number }
  | { type: 'failed'; failure: TaskFailure; rssBytes: number };

/** How the pool tells a child its settings: environment variables, since nothing else reaches its watchdog thread. */
export const CHILD_SETTINGS = {
  memoryBytes: 'SANDBOX_MEMORY_BYTES',
  directory: 'SANDBOX_DIRECTORY',
} as const;
