/** Streams diffcp lines with heartbeats, under back-pressure from the client. */
import { Readable } from 'node:stream';
import { writeLine, type Line } from '@quire/diffcp';
import type { FastifyReply } from 'fastify';

export const NDJSON = 'application/x-ndjson';
const HEARTBEAT_MS = 10_000;

/** `seq` is the number of the line before the first; heartbeats repeat it until a line is sent. */
export function sendLines(reply: FastifyReply, lines: AsyncGenerator<Line>, seq = -1): FastifyReply {
  void reply.headers({
    'content-type': NDJSON,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(withHeartbeat(lines, seq, HEARTBEAT_MS), { objectMode: false }));
}

/** Yields the lines as text, and after each silence a line with the last `seq` and no operations. */
export async function* withHeartbeat(
  lines: AsyncGenerator<Line>,
  seq: number,
  silenceMs: number,
): AsyncGenerator<string> {
  let last = seq;
  let next = lines.next();
  try {
    for (;;) {
      const found = await inTime(next, silenceMs);
      if (found === undefined) {
        if (last >= 0) yield writeLine({ seq: last, ops: [] });
        continue;
      }
      if (found.done === true) return;
      last = found.value.seq;
      yield writeLine(found.value);
      next = lines.next();
    }
  } finally {
    // Not awaited: a generator that waits for a line returns only after that line.
    void lines.return(undefined);
  }
}

/** Resolves to undefined if the value takes longer. */
async function inTime<T>(value: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
