/** Runs the command line in this process, as on a terminal of 80 columns or in a pipe. */
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { run } from '@quire/cli/run';

export interface Ran {
  code: number;
  out: string;
  err: string;
  /** The lines of stdout as JSON. */
  json: () => Record<string, unknown>[];
}

export interface RunOptions {
  input?: string;
  /** Whether stdout is a pipe; by default it is a terminal. */
  piped?: boolean;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Receives what is written to stderr as it is written. */
  onNote?: (text: string) => void;
}

export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const ran = { out: '', err: '' };
  const signal = options.signal ?? new AbortController().signal;
  // As the program does: each parallel call listens to the signal.
  setMaxListeners(0, signal);
  const io = {
    stdin: Readable.from([options.input ?? '']),
    stdout: { isTTY: options.piped !== true, columns: 80, write: (text: string) => (ran.out += text) },
    stderr: {
      isTTY: false,
      write: (text: string) => {
        ran.err += text;
        options.onNote?.(text);
      },
    },
    env: { NO_COLOR: '1', ...options.env },
    signal,
  };
  const code = await run(args, io, '0.0.0');
  return {
    ...ran,
    code,
    json: () =>
      ran.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
