/** CONTRACT section 12, limits of inputs: each limit of the table holds where it says, and the refusal names it. */
import { INPUT_LIMITS, type InputLimit, type InputLimitName } from '@quire/shared/input-limits';
import { expect, test } from 'vitest';
import type { Outcome } from './library.ts';
import { useRecords } from './library.ts';
import { PROBES } from './probes.ts';

useRecords();

const STATUS: Partial<Record<InputLimit['error'], number>> = { bad_request: 400, body_too_large: 413 };

/** The limits that an answer names, with their error types. Types of pydantic keep their own names of the limit. */
const named = ({ detail }: Outcome) => detail.map(({ type, ctx }) => [type, ctx?.['limit'] ?? ctx?.['max_length']]);

test.each(Object.entries(INPUT_LIMITS) as [InputLimitName, InputLimit][])(
  '%s: the limit is accepted, one more is refused',
  async (name, { max, error }) => {
    const probe = PROBES[name];
    const within = await probe(max);
    expect(named(within)).not.toContainEqual([error, max]);
    expect(within.status).toBeLessThan(500);
    const beyond = await probe(max + 1);
    expect([beyond.status, named(beyond)]).toEqual([STATUS[error] ?? 422, expect.arrayContaining([[error, max]])]);
  },
);
