import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('requests are counted by route template and status', async () => {
  const metrics = new Metrics();
  metrics.observeRequest('GET', '/v1/w/{ws}', 200, 0.003);
  metrics.observeRequest('GET', '/v1/w/{ws}', 200, 0.3);
  const rendered = await metrics.render();
  expect(rendered).toContain(
    'quire_http_request_duration_seconds_bucket{le="0.005",method="GET",route="/v1/w/{ws}",status="200"} 1',
  );
  expect(rendered).toContain(
    'quire_http_request_duration_seconds_count{method="GET",route="/v1/w/{ws}",status="200"} 2',
  );
});

test('gauges are read at each request, and missing labels disappear', async () => {
  const metrics = new Metrics();
  let readings = [
    { labels: { job: 'a' }, value: 3 },
    { labels: { job: 'b' }, value: 1 },
  ];
  metrics.addGauge('quire_jobs', 'Jobs', ['job'], () => Promise.resolve(readings));
  expect(await metrics.render()).toContain('quire_jobs{job="a"} 3');
  readings = [{ labels: { job: 'b' }, value: 2 }];
  const rendered = await metrics.render();
  expect(rendered).toContain('quire_jobs{job="b"} 2');
  expect(rendered).not.toContain('job="a"');
});

test('a gauge that cannot be read is left out and counted, without hiding the other metrics', async () => {
  const metrics = new Metrics();
  let isAway = false;
  const read = async () => {
    if (isAway) throw new Error('the database is away');
    return [{ labels: { job: 'a' }, value: 3 }];
  };
  metrics.addGauge('quire_jobs', 'Jobs', ['job'], read);
  expect(await metrics.render()).toContain('quire_jobs{job="a"} 3');
  isAway = true;
  await metrics.render();
  const rendered = await metrics.render();
  expect(rendered).not.toContain('quire_jobs{job="a"}');
  expect(rendered).toContain('quire_gauge_failures_total{gauge="quire_jobs"} 1');
  expect(rendered).toContain('process_cpu_seconds_total');
});
