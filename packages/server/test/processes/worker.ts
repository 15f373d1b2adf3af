/**
 * A worker process on the database of argv[2]. Its handler prints the attempt, holds the job until
 * it reads a line, and then prints the result of the job.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { connectDatabase, createPool } from '../../src/database/connect.ts';
import { PostgresNotifications } from '../../src/database/notifications-postgres.ts';
import { Instance } from '../../src/queue/instance.ts';
import { Worker } from '../../src/queue/worker.ts';

const connection = process.argv[2]!;
const logger = pino({ level: 'silent' });
const { db } = connectDatabase({ connection, poolSize: 4, applicationName: 'worker process', logger });
const pool = createPool({ connection, poolSize: 4, applicationName: 'worker process queue', logger });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
// Registered before the first job, as the signal may arrive as soon as that has printed its line.
const asked = once(process, 'SIGTERM');
const instance = await Instance.start({ db, role: 'worker', logger, heartbeatMs: 50 });
const worker = await Worker.start({
  pool,
  notifications: await PostgresNotifications.connect({ connection, logger }),
  instance,
  logger,
  concurrency: 4,
  onExhausted: async () => undefined,
  handlers: {
    'sweep-index': async (_payload, { attempt }) => {
      console.log(`attempt ${attempt}`);
      await lines.next();
      console.log(`done ${attempt}`);
    },
  },
});
await asked;
await worker.stop();
console.log('stopped');
process.exit(0);
