import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addLogContext, createLogger, openLogContext, subsystem, withLogContext } from './logger.ts';

function record(): { lines: () => Record<string, unknown>[]; destination: { write(line: string): void } } {
  const written: string[] = [];
  return {
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    destination: { write: (line) => void written.push(line) },
  };
}

test('lines carry the ids of the request they belong to, also those learnt later, and no other', async () => {
  const { lines, destination } = record();
  const logger = subsystem(createLogger({ level: 'info', destination }), 'http');
  const work = (requestId: string): Promise<void> =>
    withLogContext({ requestId }, async () => {
      await Promise.resolve();
      addLogContext({ workspaceId: `workspace of ${requestId}` });
      await Promise.resolve();
      logger.info('done');
    });
  await Promise.all([work('a'), work('b')]);
  logger.info('outside');
  expect(lines().map(({ requestId, workspaceId, subsystem: part }) => [requestId, workspaceId, part])).toEqual([
    ['a', 'workspace of a', 'http'],
    ['b', 'workspace of b', 'http'],
    [undefined, undefined, 'http'],
  ]);
});

test('a context stays enabled until the last of its users ends, in any order', async () => {
  const { lines, destination } = record();
  const logger = createLogger({ level: 'info', destination });
  let work: Promise<void> = Promise.resolve();
  const close = openLogContext({ requestId: 'a' }, () => {
    work = (async () => {
      await withLogContext({ jobId: 'b' }, async () => Promise.resolve());
      logger.info('after the inner one');
    })();
  });
  await work;
  close();
  close();
  logger.info('outside');
  await withLogContext({ requestId: 'c' }, async () => {
    await Promise.resolve();
    logger.info('later');
  });
  expect(lines().map(({ requestId, jobId, msg }) => [msg, requestId, jobId])).toEqual([
    ['after the inner one', 'a', undefined],
    ['outside', undefined, undefined],
    ['later', 'c', undefined],
  ]);
});

test('secrets are redacted at any position', () => {
  const { lines, destination } = record();
  const logger = createLogger({ level: 'info', destination });
  logger.info({
    apiKey: 'hunter2',
    headers: { authorization: 'Bearer hunter2' },
    config: { provider: { secret: 'hunter2' } },
  });
  logger.error({ err: Object.assign(new Error('no'), { config: { password: 'hunter2', signingSecret: 'hunter2' } }) });
  expect(JSON.stringify(lines())).not.toContain('hunter2');
  expect(lines()[0]?.['apiKey']).toBe('[redacted]');
});

// Only Linux has a device that is always full.
test.skipIf(!existsSync('/dev/full'))('a log that cannot be written, as on a full disk, ends no process', async () => {
  const full = openSync('/dev/full', 'w');
  const logger = JSON.stringify(new URL('../dist/logger.js', import.meta.url).href);
  const program = `const { createLogger } = await import(${logger});
    const { setImmediate } = await import('node:timers/promises');
    const logger = createLogger({ level: 'info' });
    for (let line = 0; line < 1000; line++) {
      logger.info('a line');
      if (line % 100 === 0) await setImmediate();
    }
    console.error('alive');`;
  // The time limit ends a process that waits for ever.
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', full, 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  closeSync(full);
  let printed = '';
  child.stderr?.on('data', (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([printed, code]).toEqual(['alive\n', 0]);
});
