/** Runs `quire` on a real terminal of 80 columns, which tmux emulates, and returns what a person sees. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Path of tmux; undefined where it is not installed, in which case tests that need it are skipped. */
export const TMUX: string | undefined = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].find(
  existsSync,
);

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));
const COLUMNS = 80;
const LINES = 60;
/** Interval at which the screen is read, in milliseconds. */
const POLL_MS = 50;
/** Time within which a text must appear, in milliseconds. */
const MAX_WAIT_MS = 60_000;

export interface TerminalOptions {
  /** Folder for the socket of tmux and the record of the terminal. */
  folder: string;
  env: Record<string, string>;
  /** Acts of a person: a text to wait for on the screen, then keys to press in tmux's notation. */
  steps?: readonly (readonly [shown: string, ...keys: string[]])[];
}

export interface Screen {
  /** The lines of the screen, with the exit code in the last one; lines that the terminal wrapped are joined. */
  text: string;
  /** Everything that was written to the terminal, with its control sequences. */
  written: string;
}

/** Runs `quire` with the arguments of a shell until it ends. */
export async function onTerminal(args: string, { folder, env, steps = [] }: TerminalOptions): Promise<Screen> {
  const name = randomUUID().slice(0, 8);
  const record = path.join(folder, `${name}.written`);
  const environment = { PATH: process.env['PATH'], HOME: folder, TMUX_TMPDIR: folder, LC_ALL: 'C.UTF-8', ...env };
  // Asynchronous, because the service may run in this process.
  const tmux = async (...given: string[]): Promise<string> =>
    (await promisify(execFile)(TMUX ?? 'tmux', ['-L', name, '-f', '/dev/null', ...given], { env: environment })).stdout;
  const wait = `'${TMUX}' -L ${name} wait-for`;
  // The shell survives Ctrl-C, which reaches every program of the terminal.
  const command = `trap : INT; ${wait} start; '${process.execPath}' '${PROGRAM}' ${args}; echo "exit $?"; ${wait} -S end; exec cat`;
  await tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(LINES), 'sh', '-c', command);
  try {
    await tmux('pipe-pane', '-o', `cat >'${record}'`);
    await tmux('wait-for', '-S', 'start');
    for (const [shown, ...keys] of steps) {
      const endsAt = Date.now() + MAX_WAIT_MS;
      for (let screen = ''; !screen.includes(shown); await pause(POLL_MS)) {
        screen = await tmux('capture-pane', '-p');
        if (Date.now() > endsAt) throw new Error(`${shown} is not on the screen:\n${screen}`);
      }
      for (const key of keys) await tmux('send-keys', key);
    }
    await tmux('wait-for', 'end');
    const screen = await tmux('capture-pane', '-p', '-J');
    const text = screen.replaceAll(/ +$/gm, '').trimEnd();
    await tmux('pipe-pane');
    return { text, written: readFileSync(record, 'utf8') };
  } finally {
    await tmux('kill-server').catch(() => undefined);
  }
}
