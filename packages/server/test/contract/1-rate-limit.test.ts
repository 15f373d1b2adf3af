/** CONTRACT section 1: requests a minute per key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ QUIRE_RATE_LIMIT: '3', QUIRE_ROLE: 'api' });
});
afterAll(() => service.stop());

test('a key that has used up its requests gets the time of the next permitted one', async () => {
  const answers = [];
  for (let call = 0; call < 4; call += 1) answers.push(await service.call('GET', '/v1/whoami'));
  expect(answers.map((answer) => [answer.status, answer.headers.get('ratelimit-remaining')])).toEqual([
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
  ]);
  const refused = answers[3]!;
  expect(refused.detail.map((detail) => detail.type)).toEqual(['rate_limited']);
  expect(refused.headers.get('ratelimit-limit')).toBe('3');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
  expect((await service.call('GET', '/healthz', { key: null })).status).toBe(200);
});
