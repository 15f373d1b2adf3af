/** Every operation of the API through the client: what it returns, and the errors of its calls. */
import { expect, test } from 'vitest';
import { OPERATIONS } from './operations.ts';
import { answered } from './resources/service.ts';

// Each defines the tests of a resource.
await import('./resources/account.ts');
await import('./resources/documents.ts');
await import('./resources/uploads.ts');
await import('./resources/runs.ts');
await import('./resources/configurations.ts');
await import('./resources/webhooks.ts');
await import('./resources/connectors.ts');
await import('./resources/chats.ts');
await import('./resources/events.ts');

test('each operation of the API was answered with success in these tests', () => {
  expect(OPERATIONS.map(({ operationId }) => operationId).filter((id) => !answered.has(id))).toEqual([]);
});
