import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunStatus } from '../../database/tables.ts';
import { nextStatus, statusesFor, type RunEvent } from './status.ts';
import { isEnded } from './types.ts';

const EVENTS: RunEvent[] = ['addFile', 'submit', 'claim', 'release', 'succeed', 'fail', 'cancel', 'expire'];
const event = fc.constantFrom(...EVENTS);

test('a run that has ended allows no further transition', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.constantFrom<RunStatus>('idle', 'queued'), (events, start) => {
      let status = start;
      let ended: RunStatus | undefined;
      for (const each of events) {
        status = nextStatus(status, each) ?? status;
        if (ended !== undefined) expect(status).toBe(ended);
        if (isEnded({ status })) ended ??= status;
      }
    }),
  );
});

test('a run can be cancelled until it ends, and can fail while it is processed', () => {
  expect(statusesFor('cancel')).toEqual(['idle', 'queued', 'running']);
  expect(statusesFor('fail')).toEqual(['queued', 'running']);
});

test('a run becomes done only through submit, claim and success', () => {
  const path = (['submit', 'claim', 'succeed'] as const).reduce<RunStatus | undefined>(
    (status, each) => (status === undefined ? undefined : nextStatus(status, each)),
    'idle',
  );
  expect(path).toBe('done');
  expect(statusesFor('succeed')).toEqual(['running']);
});
