/** Parses the command line, runs the command, explains an error, and returns the exit code. */
import { CommanderError } from 'commander';
import type { GlobalOptions, Io } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { createProgram, type Program } from './program.ts';

export async function runProgram(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(io, version, (returned) => (code = returned));
  try {
    await program.command.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return report(error, io, program);
  }
}

/** Writes what happened, why, the next step and the request id to stderr. */
async function report(failure: unknown, io: Io, { command, current }: Program): Promise<ExitCode> {
  const [{ outputOf }, { explain }] = await Promise.all([import('./context.ts'), import('./explain-error.ts')]);
  const output = outputOf(io, command.opts<GlobalOptions>());
  const { message, next, requestId, exitCode } = explain(failure, { ...current(), isInterrupted: io.signal.aborted });
  output.note(io.signal.aborted ? message : `quire: ${message}`);
  if (next !== undefined) output.note(`  ${next}`);
  if (requestId !== undefined) output.note(`  Request ${requestId}`);
  return exitCode;
}
