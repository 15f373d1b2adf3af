/** A process of its own that starts the embedded PostgreSQL of argv[2], prints its pid and lives until it is killed. */
import pino from 'pino';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2]!, logger: pino({ level: 'silent' }) });
console.log(JSON.stringify({ pid: server.pid, attached: server.attached, sole: server.sole }));
setInterval(() => undefined, 60_000);
