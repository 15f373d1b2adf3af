import type { Command } from 'commander';

/** Adds `ls`, which a group runs by default. An unknown subcommand would reach it as an argument and is refused. */
export function addDefaultList(
  group: Command,
  description: string,
  action: (options: { status?: string }) => Promise<void>,
): Command {
  return group
    .command('ls', { isDefault: true })
    .alias('list')
    .description(description)
    .allowExcessArguments()
    .action(async (options: { status?: string }, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) group.error(`error: unknown command '${group.name()} ${unknown}'`);
      await action(options);
    });
}
