import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONNECTOR_KINDS, describeKind } from './connector-descriptor.ts';
import { CONTEXT } from './conformance/read-source.ts';
import { KINDS } from './kinds/registry.ts';
import { MemoryConnector, MemorySource } from './testing/memory-connector.ts';

const context = CONTEXT;

test('a descriptor passes the validated configuration with its defaults to the factory', () => {
  const seen: unknown[] = [];
  const descriptor = describeKind({
    kind: 'ftp',
    config: z.object({ host: z.string(), port: z.number().default(21), password: z.string() }),
    secretFields: ['password'],
    originFields: ['host', 'port'],
    open(config, options) {
      seen.push(config);
      return new MemoryConnector(new MemorySource(), options);
    },
  });
  descriptor.open({ host: 'files.example.com', password: 'p' }, context);
  expect(seen).toEqual([{ host: 'files.example.com', port: 21, password: 'p' }]);
  expect(() => descriptor.open({ host: 7 }, context)).toThrow(z.ZodError);
});

test('the record of kinds holds each descriptor under the name of its kind', () => {
  const names = Object.entries(KINDS).flatMap(([name, descriptor]) => (descriptor ? [[name, descriptor.kind]] : []));
  expect(names.filter(([name, kind]) => name !== kind)).toEqual([]);
  expect(Object.keys(KINDS)).toEqual(CONNECTOR_KINDS);
});
