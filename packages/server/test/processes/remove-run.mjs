// Waits until standard input closes at the end of a test run, then stops the run's PostgreSQL and removes its folders.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder, ...others] = process.argv.slice(2);
const folders = [folder, ...others];
/** Processes of a killed run may still write files for a moment. */
const REMOVALS = 20;
const PAUSE_MS = 250;

for await (const _ of process.stdin);
for (let removal = 1; removal <= REMOVALS; removal += 1) {
  // Services of the run that stop at the same time may not find their PostgreSQL any more once the folders are gone.
  for (const pid of postmasters()) await stopPostgres(pid);
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 3 });
  if (!folders.some((each) => existsSync(each))) break;
  await sleep(PAUSE_MS);
}

/** Returns the running PostgreSQL of the run and those of services in its temporary folder. */
function postmasters() {
  try {
    return readdirSync(folder, { recursive: true })
      .filter((file) => path.basename(file) === 'postmaster.pid')
      .map((file) => Number.parseInt(readFileSync(path.join(folder, file), 'utf8'), 10))
      .filter(isOfRun);
  } catch (error) {
    // Files vanish while processes of the run stop; the next removal looks again.
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The number in a file that a killed PostgreSQL left may belong to another process by now. */
function isOfRun(pid) {
  if (process.platform !== 'linux') return isAlive(pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}

async function stopPostgres(pid) {
  try {
    // Immediate shutdown: the data is removed anyway.
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if (error.code === 'ESRCH') return;
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
