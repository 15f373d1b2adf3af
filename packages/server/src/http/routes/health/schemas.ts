import { z } from 'zod';

export const healthShape = z.object({ alive: z.boolean() }).meta({ id: 'Health' });

export const dependencyShape = z.object({ ok: z.boolean(), latencyMs: z.number() });

export const readinessShape = z
  .object({ dependencies: z.record(z.string(), dependencyShape).describe('By name: database, storage, index, …') })
  .meta({ id: 'Readiness' });
