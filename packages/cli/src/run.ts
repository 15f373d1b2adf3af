/** Runs the command line: parses it, runs the command, explains an error, and returns the exit code. */
import { CommanderError } from 'commander';
import { outputOf, type GlobalOptions, type Io } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { createProgram } from './program.ts';

export async function run(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = createProgram(io, version, (returned) => (code = returned));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const output = outputOf(io, program.opts<GlobalOptions>());
    if (io.signal.aborted) {
      output.note('Interrupted.');
      return EXIT.interrupted;
    }
    const { explain } = await import('./explain-error.ts');
    const { message, next, requestId, exitCode } = explain(error);
    output.note(`quire: ${message}`);
    if (next !== undefined) output.note(`  ${next}`);
    if (requestId !== undefined) output.note(`  Request ${requestId}`);
    return exitCode;
  }
}
