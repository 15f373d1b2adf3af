import { z } from 'zod';

export const healthShape = z.object({ alive: z.boolean(), version: z.string() }).meta({ id: 'Health' });

export const dependencyShape = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  detail: z
    .string()
    .optional()
    .describe(
      'More about the dependency: free space of `storage`, model of `embedder`, isolation of `sandbox`, reason of a failure',
    ),
});

export const readinessShape = z
  .object({
    dependencies: z
      .record(z.string(), dependencyShape)
      .describe('Dependencies by name, such as `database` and `storage`'),
  })
  .meta({ id: 'Readiness' });
