// Waits until standard input closes at the end of a test run, then stops the run's PostgreSQL and removes its folders.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder, ...others] = process.argv.slice(2);
const folders = [folder, ...others];
/** Processes of a killed run may still write files for a moment. */
const REMOVALS = 20;
const PAUSE_MS = 250;

for await (const _ of process.stdin);
await stopPostgres();
for (let removal = 1; removal <= REMOVALS; removal += 1) {
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
  if (!folders.some((each) => existsSync(each))) break;
  await sleep(PAUSE_MS);
}

async function stopPostgres() {
  let pid;
  try {
    pid = Number.parseInt(readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    // Immediate shutdown: the data is removed anyway.
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return;
    throw error;
  }
  while (isAlive(pid)) await sleep(50);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
