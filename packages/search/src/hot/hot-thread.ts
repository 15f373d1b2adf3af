/** The inside of the thread that keeps the copies of searched tables: one message in, one out, as far as that goes. */
import { parentPort } from 'node:worker_threads';
import type { ReplyMessage, RequestMessage } from './hot-protocol.ts';
import { HotStore } from './hot-store.ts';

if (parentPort === null) throw new Error('This file runs in a worker thread');
const port = parentPort;
const store = new HotStore();
const send = (replies: ReplyMessage): void => port.postMessage(replies);

port.on('message', (requests: RequestMessage) => {
  const ready: { id: number; reply: ReplyMessage[number]['reply'] }[] = [];
  for (const { id, request } of requests) {
    const reply = store.handle(request);
    if (reply instanceof Promise) void reply.then((late) => send([{ id, reply: late }]));
    else ready.push({ id, reply });
  }
  // An empty message asks for a sign of life.
  if (ready.length > 0 || requests.length === 0) send(ready);
});
