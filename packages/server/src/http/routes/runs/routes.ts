import type { RunRecord } from '../../../database/tables.ts';
import type { RunOutputs } from '../../../domain/runs/outputs.ts';
import type { RunService } from '../../../domain/runs/service.ts';
import { isAtRest, isEnded } from '../../../domain/runs/types.ts';
import { sendArtifact } from '../../artifact.ts';
import { accepted, ok, route, type Answer, type Route } from '../../route.ts';
import { BLOCK_NAMES, runBlocks } from './blocks.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { presentRun, presentRunFile } from './presenter.ts';
import { checkRunSize } from './size-limits.ts';
import { newRunQuery, runFileShape, runListQuery, runShape, waitQuery } from './schemas.ts';

const tag = 'Process';
const RUNS = '/v1/w/{ws}/process';
const RUN = `${RUNS}/{run_id}` as const;

export function runRoutes(runs: RunService, outputs: RunOutputs): Route[] {
  /** 200 when nothing more is to come, else 202. */
  const answer = async (
    record: RunRecord,
    seconds = 0,
    signal?: AbortSignal,
  ): Promise<Answer<ReturnType<typeof presentRun>>> => {
    const waits = seconds > 0 && !isAtRest(record);
    const seen = waits ? await runs.wait(record.workspace_id, record.id, seconds * 1000, signal) : record;
    return (isEnded(seen) ? ok : accepted)(presentRun(seen));
  };
  return [
    route({
      method: 'POST',
      path: RUNS,
      operationId: 'createRun',
      summary: 'Process files without a collection: parse, extract, summarise, classify, edit',
      description:
        'A form of files and blocks, or with `staged` the blocks as JSON. 200 when the run has ended within `wait`.',
      tag,
      permission: 'write',
      upload: 'run',
      formFields: BLOCK_NAMES,
      query: newRunQuery,
      body: runBlocks.nullish(),
      checkSize: checkRunSize,
      response: runShape,
      statuses: [202, 200],
      handler: async ({ params, query, body, uploads, request, signal }) => {
        const { staged = false, wait } = query;
        const key = idempotencyKey(query.idempotency_key, request);
        const run = { blocks: body ?? {}, uploads, staged, idempotencyKey: key };
        return answer(await runs.createAndWait(params.ws, run, (wait ?? 0) * 1000, signal));
      },
    }),
    route({
      method: 'GET',
      path: RUNS,
      operationId: 'listRuns',
      summary: 'List runs, newest first; an outcome above 64 kB is left out (null)',
      tag,
      permission: 'read',
      query: runListQuery,
      response: runShape,
      list: true,
      handler: async ({ params, query, page }) => {
        const found = await runs.list(params.ws, query, page);
        return ok({ ...found, items: found.items.map(presentRun) });
      },
    }),
    route({
      method: 'GET',
      path: RUN,
      operationId: 'getRun',
      summary: 'Read a run, when it has ended or after `wait` seconds',
      tag,
      permission: 'read',
      query: waitQuery,
      response: runShape,
      statuses: [200, 202],
      handler: async ({ params, query, signal }) => {
        const record = await runs.wait(params.ws, params.run_id, (query.wait ?? 0) * 1000, signal);
        return (isAtRest(record) ? ok : accepted)(presentRun(record));
      },
    }),
    route({
      method: 'POST',
      path: `${RUN}/files`,
      operationId: 'addRunFile',
      summary: 'Give a staged run a file, as a form or as the raw body; many at once are fine',
      description: 'The same name with the same content again: the same answer. With another content: 409.',
      tag,
      permission: 'write',
      upload: 'file',
      response: runFileShape,
      handler: async ({ records, received }) => ok(presentRunFile(await runs.addFile(records.run_id, received.upload))),
    }),
    route({
      method: 'POST',
      path: `${RUN}/submit`,
      operationId: 'submitRun',
      summary: 'Begin the processing of a staged run',
      tag,
      permission: 'write',
      query: waitQuery,
      response: runShape,
      statuses: [202, 200],
      handler: async ({ params, query, signal }) =>
        answer(await runs.submit(params.ws, params.run_id), query.wait, signal),
    }),
    route({
      method: 'POST',
      path: `${RUN}/cancel`,
      operationId: 'cancelRun',
      summary: 'End a run that has not ended as failed, with the error type `cancelled`',
      tag,
      permission: 'write',
      response: runShape,
      handler: async ({ params }) => ok(presentRun(await runs.cancel(params.ws, params.run_id))),
    }),
    route({
      method: 'DELETE',
      path: RUN,
      operationId: 'deleteRun',
      summary: 'Erase a run with its inputs and outputs, in any state, at once',
      tag,
      permission: 'write',
      response: runShape,
      handler: async ({ params }) => ok(presentRun(await runs.remove(params.ws, params.run_id))),
    }),
    route({
      method: 'GET',
      path: `${RUN}/outputs/{path}`,
      operationId: 'getRunOutput',
      summary: 'Read a file that the run made',
      description: 'Answers with ETag and byte ranges, and headers that make the content inert.',
      tag,
      permission: 'read',
      response: 'application/octet-stream',
      anyFormat: true,
      statuses: [200, 206, 304],
      handler: async ({ params, records, request, reply }) =>
        sendArtifact(await outputs.get(records.run_id, params.path), request, reply),
    }),
  ];
}
