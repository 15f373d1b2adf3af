/** Runs one of the programs beside this file as a process of its own, which a test may kill. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawnWithParent } from '../../../../scripts/child-process/spawn-with-parent.mjs';

export interface SpawnedProcess {
  child: ChildProcess;
  /** The next line of its output. Rejects when it ends first. */
  nextLine(): Promise<string>;
  writeLine(line: string): void;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

export function spawnProcess(name: string, ...args: string[]): SpawnedProcess {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const nodeArgs = ['--import', 'tsx', file, ...args];
  const child = spawnWithParent(process.execPath, nodeArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async nextLine() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${name} ended (${child.exitCode ?? child.signalCode})`);
      return value;
    },
    writeLine: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
