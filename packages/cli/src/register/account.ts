/** `login`, `use`, `whoami`. */
import { Option } from 'commander';
import { collectionOption, type Register } from './register.ts';

export function addAccountCommands({ io, program, globals, run }: Register): void {
  program
    .command('login <url>')
    .description('check a key and store it as a profile')
    .addOption(new Option('--key <key>', 'API key; else QUIRE_KEY, a prompt, or the first line of stdin'))
    .option('--workspace <id>', 'workspace, for a key that reaches several')
    .action(
      run(async (url: string, options: object) =>
        (await import('../commands/account.ts')).login(io, { ...globals(), ...options }, url),
      ),
    );
  program
    .command('use [profile]')
    .description('list the profiles, switch to one, or set its default collection')
    .addOption(collectionOption())
    .action(
      run(async (name: string | undefined, options: object) =>
        (await import('../commands/account.ts')).use(io, { ...globals(), ...options }, name),
      ),
    );
  program
    .command('whoami')
    .description('show the permission and the workspace of the key')
    .action(run(async () => (await import('../commands/account.ts')).whoami(io, globals())));
}
