import type { Line } from '@quire/diffcp';
import { expect, test } from 'vitest';
import { withHeartbeat } from './ndjson.ts';

test('in silence the last seq is said again, without operations', async () => {
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  async function* lines(): AsyncGenerator<Line> {
    yield { seq: 4, ops: [] };
    await waiting;
    yield { seq: 5, ops: [{ op: 'replace', path: '/a', value: 1 }] };
  }
  const text = withHeartbeat(lines(), 3, 1);
  expect((await text.next()).value).toBe('{"seq":4,"ops":[]}\n');
  expect((await text.next()).value).toBe('{"seq":4,"ops":[]}\n');
  goOn();
  const rest: string[] = [];
  for await (const line of text) if (line !== '{"seq":4,"ops":[]}\n') rest.push(line);
  expect(rest).toEqual(['{"seq":5,"ops":[{"op":"replace","path":"/a","value":1}]}\n']);
});
