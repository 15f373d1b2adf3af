// Starts a shell with a child of its own by the function of argv[2], and prints `started`; the shell prints the ids of
// both. With `stopping` it starts a process that writes the number of its signals to the file argv[3], sends it a
// signal and prints its id.
import { once } from 'node:events';
import { runGroup } from '../run-group.mjs';
import { spawnWithParent } from '../spawn-with-parent.mjs';

const COMMAND = ['sh', ['-c', 'trap "" HUP; sleep 600 & echo $$ $!; wait']];

if (process.argv[2] === 'runGroup') {
  const ended = runGroup(...COMMAND);
  console.log('started');
  process.exitCode = await ended;
} else if (process.argv[2] === 'stopping') {
  const count = `let signals = 0;
    process.on('SIGTERM', () => {
      signals += 1;
      setTimeout(() => process.exit(), 1_000);
      require('node:fs').writeFileSync(process.argv[1], String(signals));
      console.log('stopping');
    });
    console.log('started');
    setInterval(() => undefined, 1_000);`;
  const child = spawnWithParent(process.execPath, ['-e', count, process.argv[3]], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child.stdout, 'data');
  console.log(child.pid);
  await once(child, 'exit');
} else {
  const shell = spawnWithParent(...COMMAND, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  console.log('started');
  await new Promise((resolve) => shell.once('exit', resolve));
}
