/**
 * Entry of the worker thread that holds the copies of searched tables. Answers each message with one, where possible.
 */
import { parentPort } from 'node:worker_threads';
import type { ReplyMessage, RequestMessage } from './copy-protocol.ts';
import { CopyStore } from './copy-store.ts';

if (parentPort === null) throw new Error('This file runs in a worker thread');
const port = parentPort;
const store = new CopyStore();
const send = (replies: ReplyMessage): void => port.postMessage(replies);

port.on('message', (requests: RequestMessage) => {
  const ready: { id: number; reply: ReplyMessage[number]['reply'] }[] = [];
  for (const { id, request } of requests) {
    const reply = store.handle(request);
    if (reply instanceof Promise) void reply.then((late) => send([{ id, reply: late }]));
    else ready.push({ id, reply });
  }
  // An empty message is a heartbeat.
  if (ready.length > 0 || requests.length === 0) send(ready);
});
