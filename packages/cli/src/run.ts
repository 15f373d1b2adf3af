/** Runs the command line. */
import type { Io } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

/** Width of the generated help, in columns. */
export const HELP_WIDTH = 80;

/** Runs the command that the arguments name, and returns the exit code. */
export async function run(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  if (asksForHelp(args) && (process.stdout.columns ?? HELP_WIDTH) >= HELP_WIDTH) {
    // Loading the parser of the command line would take longer than everything else.
    const { ROOT_HELP } = await import('./generated/root-help.ts');
    io.stdout.write(ROOT_HELP);
    return EXIT.ok;
  }
  const { runProgram } = await import('./run-program.ts');
  return runProgram(args, io, version);
}

const asksForHelp = ([first, ...others]: readonly string[]): boolean =>
  others.length === 0 && (first === '--help' || first === '-h');
