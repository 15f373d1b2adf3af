import { z } from 'zod';

export const healthShape = z.object({ alive: z.boolean(), version: z.string() }).meta({ id: 'Health' });

export const dependencyShape = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  detail: z
    .string()
    .optional()
    .describe(
      'Of `embedder`: the model of new collections, and where it came from; of `sandbox`: the isolation of the parsers, or why no file can be read',
    ),
});

export const readinessShape = z
  .object({ dependencies: z.record(z.string(), dependencyShape).describe('By name: database, storage, index, …') })
  .meta({ id: 'Readiness' });
