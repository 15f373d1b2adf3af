// Reads lines from standard input, a pipe of the process that started it: `watch TARGET`, `stopping TARGET` once the
// target was sent a signal, and `forget TARGET`. When the pipe closes, it ends the targets that are left. A target is a
// process, or a process group if the number is negative.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time in ms after SIGTERM in which a script stops the services that it started. */
const GRACE_MS = 60_000;
const POLL_MS = 50;

const targets = new Set();
const stopping = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const [action, target] = line.split(' ');
  if (action === 'watch') targets.add(Number(target));
  else if (action === 'stopping') stopping.add(Number(target));
  else {
    targets.delete(Number(target));
    stopping.delete(Number(target));
  }
}
for (const target of targets) send(target, stopping.has(target) ? 0 : 'SIGTERM');
const until = Date.now() + GRACE_MS;
while (targets.size > 0 && Date.now() < until) {
  await sleep(POLL_MS);
  for (const target of targets) send(target, 0);
}
for (const target of targets) send(target, 'SIGKILL');

/** Sends a signal; a target that does not exist any more is removed. */
function send(target, signal) {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    targets.delete(target);
  }
}
