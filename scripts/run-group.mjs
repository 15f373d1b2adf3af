// `node scripts/run-group.mjs COMMAND [ARGUMENT…]`: runs a command whose processes end with it, also if it is killed.
import { runGroup } from './child-process/run-group.mjs';

const [command, ...args] = process.argv.slice(2);
process.exitCode = await runGroup(command, args);
