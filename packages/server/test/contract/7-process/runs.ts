/** A service that processes runs, and one that leaves them queued. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createWorkspace, type AnyRecord, type TestWorkspace } from '../../factories.ts';
import { startTestService, type TestAnswer, type TestService } from '../../server.ts';

export const UUID = /^[0-9a-f-]{36}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const LEASE = '# Lease\n\nThe lease ends in May.\n';

/** One day. */
export const DAY_MS = 24 * 3_600_000;

interface Reference {
  path: string;
  contentType: string;
  sizeBytes: number;
  content?: unknown;
}
interface FileOutcome {
  name: string;
  parse?: { contentType: string; markdown?: Reference; html?: Reference; blocks?: Reference; thumbnail?: Reference };
  errors: { module: string; type: string; message: string }[];
  outputs: Reference[];
}
export interface Run extends AnyRecord {
  status: string;
  files: string[];
  error: { type: string; message: string } | null;
  outcome: { files: FileOutcome[]; usage: unknown } | null;
  expiresAt: string;
  finishedAt: string;
}

export let service: TestService;
export let workspace: TestWorkspace;
/** An API process without a worker, so that its runs stay queued. */
export let idle: TestService;
export let queueing: TestWorkspace;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const post = (query: string, body?: FormData | string, headers: Record<string, string> = {}) =>
  service.call<Run>('POST', `${workspace.url}/process${query}`, { ...(body === undefined ? {} : { body }), headers });
export const urlOf = (run: Run, within = workspace): string => `${within.url}/process/${run.id}`;
export const read = (run: Run): Promise<TestAnswer<Run>> => service.call<Run>('GET', `${urlOf(run)}?wait=60`);
export const submitted = (run: Run, wait = 60) => service.call<Run>('POST', `${urlOf(run)}/submit?wait=${wait}`);
export const stage = async (): Promise<Run> => (await post('?staged=true', '{}')).data;
export const places = ({ detail }: TestAnswer<unknown>) => detail.map(({ loc, type }) => [type, ...loc]);

export const sendFile = (run: Run, name: string, content: string) =>
  service.call('POST', `${urlOf(run)}/files`, {
    body: content,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });

/** Starts both services for the tests of a file. */
export function useRuns(): void {
  beforeAll(async () => {
    service = await startTestService({ QUIRE_MAX_RUN_FILES: '70' });
    workspace = await createWorkspace(service);
    idle = await startTestService({ QUIRE_ROLE: 'api' });
    queueing = await createWorkspace(idle);
  });
  afterAll(async () => {
    await service.stop();
    await idle.stop();
  });
}
