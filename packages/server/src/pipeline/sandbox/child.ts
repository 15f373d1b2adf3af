/** Entry of the service's sandboxed child processes; started by the pool. */
import { serveTasks } from './serve.ts';
import { taskHandlers } from './tasks.ts';

serveTasks(taskHandlers);
