/** Questions to the user on the terminal. */
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import type { Io } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';

/** Returns a line that the user types without echo, or the first line of stdin if it is no terminal. */
export async function askSecret(io: Io, question: string): Promise<string> {
  const isTerminal = io.stdin.isTTY === true;
  if (isTerminal) io.stderr.write(question);
  // Without an output stream, readline echoes nothing.
  const lines = createInterface({ input: io.stdin, terminal: isTerminal });
  let isInterrupted = false;
  // The terminal is in raw mode, in which Ctrl-C is a key and sends no signal.
  lines.on('SIGINT', () => {
    isInterrupted = true;
    lines.close();
  });
  io.signal.addEventListener('abort', () => lines.close(), { once: true });
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (isTerminal) io.stderr.write('\n');
  }
  if (isInterrupted) throw new CommandError('interrupted', { exitCode: EXIT.interrupted });
  return '';
}

/** Yields the user's lines until the end of input. `onInterrupt` handles Ctrl-C; it may call `leave` to end them. */
export async function* questions(
  io: Io,
  prompt: string,
  onInterrupt: (leave: () => void) => void,
): AsyncGenerator<string, void, undefined> {
  const isTerminal = io.stdin.isTTY === true;
  const lines = createInterface({
    input: io.stdin,
    prompt,
    terminal: isTerminal,
    ...(isTerminal ? { output: io.stderr as Writable } : {}),
  });
  io.signal.addEventListener('abort', () => lines.close(), { once: true });
  lines.on('SIGINT', () => onInterrupt(() => lines.close()));
  try {
    if (isTerminal) lines.prompt();
    for await (const line of lines) {
      if (line.trim() !== '') yield line.trim();
      if (isTerminal) lines.prompt();
    }
  } finally {
    lines.close();
  }
}
