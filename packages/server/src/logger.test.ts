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
