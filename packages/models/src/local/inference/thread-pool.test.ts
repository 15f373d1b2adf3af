import { describe, expect, it } from 'vitest';
import { deferred } from './deferred.ts';
import { ThreadPool, type BatchRunner } from './thread-pool.ts';

const signal = new AbortController().signal;
const row = (id: number) => [Int32Array.of(id)];

/** A runner whose batches end on a call of the test. */
function heldRunner() {
  const started: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  let closed = 0;
  const runner: BatchRunner = {
    run(rows) {
      const { promise, resolve, reject } = deferred<Float32Array>();
      const id = rows[0]![0]!;
      started.push(id);
      ends.push((error) => (error ? reject(error) : resolve(Float32Array.of(id))));
      return promise;
    },
    async close() {
      closed++;
    },
  };
  return { runner, started, endNext: (error?: Error) => ends.shift()!(error), closed: () => closed };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('ThreadPool', () => {
  it('runs the only batch of one owner before the waiting ones of another', async () => {
    const held = { query: heldRunner(), documents: heldRunner() };
    let owner = 'a';
    const pool = new ThreadPool(
      async (priority) => held[priority].runner,
      1,
      () => owner,
    );
    const results = [1, 2, 3].map((id) => pool.run(row(id), 'documents', signal));
    owner = 'b';
    results.push(pool.run(row(4), 'documents', signal));
    for (let batch = 0; batch < 4; batch += 1) {
      await settled();
      held.documents.endNext();
    }
    await Promise.all(results);
    expect(held.documents.started).toEqual([1, 4, 2, 3]);
  });

  it('runs a query immediately in its own thread while documents are embedded', async () => {
    const held = { query: heldRunner(), documents: heldRunner() };
    const pool = new ThreadPool(async (priority) => held[priority].runner, 1);
    const documents = [pool.run(row(1), 'documents', signal), pool.run(row(2), 'documents', signal)];
    await settled();
    const query = pool.run(row(3), 'query', signal);
    await settled();
    expect([held.documents.started, held.query.started]).toEqual([[1], [3]]);
    held.query.endNext();
    expect(await query).toEqual(Float32Array.of(3));
    held.documents.endNext();
    await settled();
    held.documents.endNext();
    await Promise.all(documents);
    expect(held.query.started).toEqual([3]);
  });

  it('runs a second query before waiting documents, in the first idle thread', async () => {
    const held = { query: heldRunner(), documents: heldRunner() };
    const pool = new ThreadPool(async (priority) => held[priority].runner, 1);
    const results = [
      pool.run(row(1), 'documents', signal),
      pool.run(row(2), 'documents', signal),
      pool.run(row(3), 'query', signal),
      pool.run(row(4), 'query', signal),
    ];
    // The threads start while all four wait.
    for (let batch = 0; batch < 3; batch += 1) {
      await settled();
      held.documents.endNext();
    }
    held.query.endNext();
    await Promise.all(results);
    expect([held.documents.started, held.query.started]).toEqual([[3, 1, 2], [4]]);
  });

  it('runs a query in a document thread if the query thread is busy', async () => {
    const held = { query: heldRunner(), documents: heldRunner() };
    const pool = new ThreadPool(async (priority) => held[priority].runner, 1);
    const first = pool.run(row(1), 'query', signal);
    await settled();
    const second = pool.run(row(2), 'query', signal);
    await settled();
    expect([held.query.started, held.documents.started]).toEqual([[1], [2]]);
    held.documents.endNext();
    expect(await second).toEqual(Float32Array.of(2));
    held.query.endNext();
    await first;
  });

  it('removes a waiting batch when its caller aborts', async () => {
    const held = heldRunner();
    const pool = new ThreadPool(async () => held.runner, 1);
    const first = pool.run(row(1), 'documents', signal);
    await settled();
    const abort = new AbortController();
    const second = pool.run(row(2), 'documents', abort.signal);
    const reason = new Error('no longer wanted');
    abort.abort(reason);
    await expect(second).rejects.toBe(reason);
    held.endNext();
    expect(await first).toEqual(Float32Array.of(1));
    await settled();
    expect(held.started).toEqual([1]);
  });

  it('starts threads while batches wait, up to its limit', async () => {
    const runners = [heldRunner(), heldRunner(), heldRunner()];
    let starts = 0;
    const pool = new ThreadPool(async () => runners[starts++]!.runner, 2);
    const results = [1, 2, 3].map((id) => pool.run(row(id), 'documents', signal));
    await settled();
    expect(starts).toBe(2);
    expect(runners.map(({ started }) => started)).toEqual([[1], [2], []]);
    runners[1]!.endNext();
    await settled();
    expect(runners[1]!.started).toEqual([2, 3]);
    runners[0]!.endNext();
    runners[1]!.endNext();
    await Promise.all(results);
  });

  it('replaces a thread whose batch failed', async () => {
    const runners = [heldRunner(), heldRunner()];
    let starts = 0;
    const pool = new ThreadPool(async () => runners[starts++]!.runner, 1);
    const first = pool.run(row(1), 'documents', signal);
    const second = pool.run(row(2), 'documents', signal);
    await settled();
    runners[0]!.endNext(new Error('out of memory'));
    await expect(first).rejects.toThrow('out of memory');
    await settled();
    expect(runners[0]!.closed()).toBe(1);
    runners[1]!.endNext();
    expect(await second).toEqual(Float32Array.of(2));
  });

  it('rejects waiting batches if no thread can be started', async () => {
    const pool = new ThreadPool(() => Promise.reject(new Error('no such file')), 2);
    await expect(pool.run(row(1), 'query', signal)).rejects.toThrow('no such file');
  });

  it('rejects waiting batches when it is closed', async () => {
    const held = heldRunner();
    const pool = new ThreadPool(async () => held.runner, 1);
    const first = pool.run(row(1), 'documents', signal);
    await settled();
    const second = pool.run(row(2), 'documents', signal);
    await pool.close();
    await expect(second).rejects.toThrow('closed');
    expect(held.closed()).toBe(1);
    held.endNext();
    await first;
  });
});
