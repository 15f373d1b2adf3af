// Starts a shell with a child of its own by the function of argv[2], prints the ids of both, and waits.
import { runGroup } from '../run-group.mjs';
import { spawnWithParent } from '../spawn-with-parent.mjs';

const COMMAND = ['sh', ['-c', 'trap "" HUP; sleep 600 & echo $$ $!; wait']];

if (process.argv[2] === 'runGroup') process.exitCode = await runGroup(...COMMAND);
else {
  const shell = spawnWithParent(...COMMAND, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  await new Promise((resolve) => shell.once('exit', resolve));
}
