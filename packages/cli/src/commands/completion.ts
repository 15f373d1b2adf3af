/** `quire completion`: scripts that complete commands and options in bash, zsh and fish. */
import type { Command } from 'commander';
import { CommandError, EXIT } from '../exit-code.ts';

interface Words {
  /** The command path, such as `webhooks listen`; empty for the program itself. */
  path: string;
  words: string[];
}

export function completionScript(program: Command, shell: string): string {
  const table = wordsOf(program, []);
  if (shell === 'bash') return bash(table);
  if (shell === 'zsh') return `autoload -Uz bashcompinit && bashcompinit\n${bash(table)}`;
  if (shell === 'fish') return fish(program);
  throw new CommandError(`${shell} is not one of bash, zsh, fish`, { exitCode: EXIT.usage });
}

function wordsOf(command: Command, path: readonly string[]): Words[] {
  const children = visible(command);
  const options = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));
  const words = [...children.map((each) => each.name()), ...options, '--help'];
  return [
    { path: path.join(' '), words: [...new Set(words)] },
    ...children.flatMap((each) => wordsOf(each, [...path, each.name()])),
  ];
}

const visible = (command: Command): Command[] => command.commands.filter((each) => each.name() !== 'help');

function bash(table: readonly Words[]): string {
  const cases = table.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n');
  const paths = table.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join('|');
  // File names are completed by the shell itself (`-o default`).
  return `_quire() {
  local path="" next words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for next in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$next"
    case "$next" in ${paths}) path="$next" ;; esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _quire quire
`;
}

function fish(program: Command): string {
  const lines = visible(program).flatMap((command) => [
    `complete -c quire -f -n __fish_use_subcommand -a ${command.name()} -d '${command.description().replaceAll("'", String.raw`\'`)}'`,
    ...visible(command).map(
      (each) => `complete -c quire -f -n '__fish_seen_subcommand_from ${command.name()}' -a ${each.name()}`,
    ),
    ...command.options.flatMap(({ long }) =>
      long === undefined || long === null
        ? []
        : [`complete -c quire -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)}`],
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
