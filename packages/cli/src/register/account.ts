/** `login`, `use`, `whoami`. */
import { Option, type Command } from 'commander';
import { collectionOption, type Register } from './register.ts';

const account = () => import('../commands/account.ts');

export function addLogin(command: Command, { io, globals, run }: Register): void {
  command
    .addOption(new Option('--key <key>', 'API key; else QUIRE_KEY, a prompt, or the first line of stdin'))
    .option('--workspace <id>', 'workspace, for a key that reaches several')
    .action(
      run(async (url: string, options: object) => (await account()).login(io, { ...globals(), ...options }, url)),
    );
}

export function addUse(command: Command, { io, globals, run }: Register): void {
  command
    .addOption(collectionOption())
    .action(
      run(async (name: string | undefined, options: object) =>
        (await account()).use(io, { ...globals(), ...options }, name),
      ),
    );
}

export function addWhoami(command: Command, { io, globals, run }: Register): void {
  command.action(run(async () => (await account()).whoami(io, globals())));
}
