/**
 * The code of an inference thread: one onnxruntime session on one core, one batch at a time. `session.run` blocks its
 * thread, so it must not run in the main thread.
 *
 * One thread per session without spinning embeds twice as many chunks per core-second as two threads of one session.
 */
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { BatchRequest, ThreadData, ThreadMessage } from './inference-protocol.ts';
import { poolRows, scoresOf } from './pooling.ts';

const data = workerData as ThreadData;

/** Nice levels of document threads below the service, as for parser processes. */
const DOCUMENTS_NICENESS = 5;
const MAX_NICENESS = 19;

/** Only on Linux each thread has a nice level of its own. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    os.setPriority(Math.min(MAX_NICENESS, os.getPriority() + DOCUMENTS_NICENESS));
  } catch {
    // Some systems refuse every change of priority; the thread works at any priority.
  }
}

async function serve(): Promise<void> {
  if (parentPort === null) throw new Error('This file runs in a worker thread');
  const port = parentPort;
  if (data.priority === 'documents') giveWay();
  const send = (message: ThreadMessage): void => port.postMessage(message);
  const session = await InferenceSession.create(data.modelFile, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  port.on('message', (request: BatchRequest) => {
    run(session, request.rows).then(
      (vectors) => send({ vectors }),
      (error: unknown) => send({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  send({ ready: true });
}

async function run(session: InferenceSession, rows: readonly Int32Array[]): Promise<Float32Array> {
  const length = Math.max(...rows.map((row) => row.length));
  const size = rows.length * length;
  const ids = new BigInt64Array(size).fill(BigInt(data.paddingId));
  const mask = new BigInt64Array(size);
  for (const [index, row] of rows.entries()) {
    for (const [position, id] of row.entries()) {
      ids[index * length + position] = BigInt(id);
      mask[index * length + position] = 1n;
    }
  }
  const shape = [rows.length, length];
  const feeds: Record<string, Tensor> = {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
  };
  if (session.inputNames.includes('token_type_ids')) {
    feeds['token_type_ids'] = new Tensor('int64', typesOf(rows, length), shape);
  }
  const outputs = await session.run(feeds);
  const name = session.outputNames.find((output) => output === 'last_hidden_state') ?? session.outputNames[0] ?? '';
  const output = outputs[name];
  if (output === undefined || !(output.data instanceof Float32Array)) throw new Error('The model gives no vectors');
  if (data.pooling === 'scores') return scoresOf(output.data, output.dims);
  return poolRows(
    output.data,
    output.dims,
    rows.map((row) => row.length),
    data.pooling,
  );
}

/** Returns 1 for the tokens of a second text, which follow the first separator. */
function typesOf(rows: readonly Int32Array[], length: number): BigInt64Array {
  const types = new BigInt64Array(rows.length * length);
  if (data.separatorId === undefined) return types;
  for (const [index, row] of rows.entries()) {
    const second = row.indexOf(data.separatorId) + 1;
    types.fill(1n, index * length + second, index * length + row.length);
  }
  return types;
}

await serve();
