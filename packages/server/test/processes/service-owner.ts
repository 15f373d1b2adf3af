/** Starts a service on the data directory of argv[2], prints its process id, and never stops it. */
import { startService } from '../service-process.ts';

const [, , dataDir = ''] = process.argv;
const { pid } = await startService({ dataDir, env: { QUIRE_LOG_LEVEL: 'fatal' } });
console.log(pid);
