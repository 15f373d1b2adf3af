/** Entry point of the sandboxed child processes, started by the pool. */
import { serveTasks } from '@quire/sandbox/serve';
import { taskHandlers } from './tasks.ts';

serveTasks(taskHandlers);
