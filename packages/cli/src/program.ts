/**
 * The program with its commands. Only names and descriptions are known at first; the module with the options and the
 * action of a command is loaded when that command is used, so that `--help` stays quick.
 */
import { Command } from 'commander';
import { COMMANDS, type Entry } from './catalogue.ts';
import type { GlobalOptions, Io } from './context.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Register } from './register/register.ts';

export interface Program {
  command: Command;
  /** The command that runs; undefined before it is known. */
  current: () => Entry | undefined;
}

/** Returns the program; `exit` receives the code of the command that ran. */
export function createProgram(io: Io, version: string, exit: (code: ExitCode) => void): Program {
  const program = new Command('quire')
    .description('Search and process documents with a Quire service.')
    .version(version)
    .option('--json', 'write JSON lines (default if stdout is no terminal)')
    .option('--text', 'write text also if stdout is no terminal')
    .option('--profile <name>', 'use this profile')
    .showSuggestionAfterError()
    .showHelpAfterError('  Add --help for the usage.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride()
    .helpCommand(false);
  const globals = (): GlobalOptions => program.opts<GlobalOptions>();
  const register: Register = {
    io,
    globals,
    loadAll: async () => {
      for (const command of program.commands) await load(command);
      return program;
    },
    run:
      (action) =>
      async (...args) =>
        exit((await action(...args)) ?? EXIT.ok),
    withContext:
      (action) =>
      async (...args) => {
        const { createContext } = await import('./context.ts');
        return exit((await action(await createContext(io, globals()), ...args)) ?? EXIT.ok);
      },
  };
  const entries = new Map<Command, Entry>();
  let current: Entry | undefined;
  const load = async (command: Command): Promise<void> => {
    const entry = entries.get(command);
    if (entry === undefined) return;
    entries.delete(command);
    (await entry.load())(command, register);
  };
  for (const entry of COMMANDS) entries.set(program.command(entry.usage).description(entry.description), entry);
  program.hook('preSubcommand', async (_, command) => {
    current = entries.get(command);
    await load(command);
  });
  addHelp(program, load);
  return { command: program, current: () => current };
}

/** Adds `help`, which loads the command that it shows. */
function addHelp(program: Command, load: (command: Command) => Promise<void>): void {
  program
    .command('help [command...]')
    .description('show the help of a command')
    .action(async (names: string[]) => {
      let shown = program;
      for (const name of names) {
        await load(shown);
        const found = shown.commands.find((each) => each.name() === name);
        if (found === undefined) program.error(`error: unknown command '${name}'`);
        else shown = found;
      }
      await load(shown);
      shown.help();
    });
}
