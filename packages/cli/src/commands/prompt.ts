/** Questions to the user on the terminal. */
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import type { Io } from '../context.ts';

/** Returns a line that the user types without echo, or the first line of stdin if it is no terminal. */
export async function askSecret(io: Io, question: string): Promise<string> {
  const isTerminal = io.stdin.isTTY === true;
  if (isTerminal) io.stderr.write(question);
  // Without an output stream, readline echoes nothing.
  const lines = createInterface({ input: io.stdin, terminal: isTerminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isTerminal) io.stderr.write('\n');
  }
}

/** Yields the user's lines until the end of input. */
export async function* questions(io: Io, prompt: string): AsyncGenerator<string, void, undefined> {
  const isTerminal = io.stdin.isTTY === true;
  const lines = createInterface({
    input: io.stdin,
    prompt,
    terminal: isTerminal,
    ...(isTerminal ? { output: io.stderr as Writable } : {}),
  });
  io.signal.addEventListener('abort', () => lines.close(), { once: true });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if (line.trim() !== '') yield line.trim();
    if (isTerminal) lines.prompt();
  }
}
