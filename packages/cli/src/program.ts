/** The commands and their options. Each action loads its module when it runs, so that `--help` stays quick. */
import { Command } from 'commander';
import { createContext, type GlobalOptions, type Io } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { addAccountCommands } from './register/account.ts';
import { addConnectorCommands } from './register/connectors.ts';
import { addDocumentCommands } from './register/documents.ts';
import { addOtherCommands } from './register/other.ts';
import { addProcessCommands } from './register/process.ts';
import { addQuestionCommands } from './register/questions.ts';
import type { Register } from './register/register.ts';
import { addResourceCommands } from './register/resources.ts';

/** Returns the program; `exit` receives the code of the command that ran. */
export function createProgram(io: Io, version: string, exit: (code: ExitCode) => void): Command {
  const program = new Command('quire')
    .description('Search and process documents with a Quire service.')
    .version(version)
    .option('--json', 'write JSON lines (default if stdout is no terminal)')
    .option('--text', 'write text also if stdout is no terminal')
    .option('--profile <name>', 'use this profile')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride();
  const globals = (): GlobalOptions => program.opts<GlobalOptions>();
  const register: Register = {
    io,
    globals,
    program,
    run:
      (action) =>
      async (...args) =>
        exit((await action(...args)) ?? EXIT.ok),
    withContext:
      (action) =>
      async (...args) =>
        exit((await action(await createContext(io, globals()), ...args)) ?? EXIT.ok),
  };
  addAccountCommands(register);
  addDocumentCommands(register);
  addQuestionCommands(register);
  addProcessCommands(register);
  addResourceCommands(register);
  addConnectorCommands(register);
  addOtherCommands(register);
  return program;
}
