import { spawnWithParent } from './spawn-with-parent.mjs';

/**
 * Runs a command in a process group of its own and resolves with its exit status. The group ends when the command or
 * this process ends, also if it is killed; signals to this process are passed on to it.
 */
export function runGroup(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawnWithParent(command, args, { stdio: 'inherit', detached: true });
    const send = (signal) => sendToGroup(child.pid, signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, send);
    child.once('error', reject);
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, send);
      send('SIGTERM');
      resolve(code ?? 1);
    });
  });
}

function sendToGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // All processes of the group have ended.
    if (error.code !== 'ESRCH') throw error;
  }
}
