/** The completion scripts in the shells that they are for. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const hasShell = (name: string): boolean =>
  ['/bin', '/usr/bin', '/usr/local/bin'].some((at) => existsSync(`${at}/${name}`));

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await runCommand(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

/** Runs a script and returns its lines of output. */
async function run(shell: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(shell, args);
  return stdout.trim().split('\n');
}

test.skipIf(!hasShell('bash'))(
  'bash completes commands, and options also after arguments (skipped: no bash)',
  async () => {
    const complete = 'c() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quire; echo "${COMPREPLY[*]}"; }';
    const lines = [
      'quire webh',
      'quire webhooks l',
      'quire search --mode hybrid --f',
      'quire add x --wa',
      'quire add x',
    ];
    const script = [await scriptFor('bash'), complete, ...lines.map((line) => `c ${line}`)].join('\n');
    const expected = ['webhooks', 'ls listen', '--filter', '--watch'];
    expect(await run('bash', ['--norc', '-c', script])).toEqual(expected);
  },
);

test.skipIf(!hasShell('zsh'))('zsh accepts its script (skipped: no zsh)', async () => {
  const script = `autoload -Uz compinit && compinit -D -u\n${await scriptFor('zsh')}\nprint \${_comps[quire]}`;
  expect(await run('zsh', ['-f', '-c', script])).toEqual(['_bash_complete -o default -F _quire']);
});

test.skipIf(!hasShell('fish'))('fish completes commands and options (skipped: no fish)', async () => {
  const script = `${await scriptFor('fish')}\ncomplete -C 'quire webhooks li'\ncomplete -C 'quire search --exp'`;
  expect(await run('fish', ['--no-config', '-c', script])).toEqual(['listen', '--explain']);
});

test('another shell is refused', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: 'quire: tcsh is not one of bash, zsh, fish\n',
  });
});
