/** Filters with long names, deep paths and many conditions, by every route that takes a filter. */
import { Random } from '../../chaos/random.ts';
import { repeat, type Attack, type Target } from '../attack.ts';

const PARALLEL = 4;
const VALUES = Array.from({ length: 1_000 }, (_, value) => value);

const repeated = (count: number, condition: (at: number) => object): object => ({
  and: Array.from({ length: count }, (_, at) => condition(at)),
});

/** Returns a filter of one of the kinds that once stopped the service. */
function oddFilter(random: Random): object {
  const name = 'x'.repeat(Math.round(10 ** random.between(3, 6.5)));
  return random.pick<() => object>([
    () => ({ [`metadata.${name}`]: { in: VALUES } }),
    () => ({ [`metadata.${'a.'.repeat(Math.round(random.between(100, 100_000)))}a`]: 1 }),
    () => repeated(500, (at) => ({ not: { [`metadata.field${at}`]: { gt: at } } })),
    () => repeated(10, (at) => ({ [`metadata.field${at}`]: { in: VALUES } })),
    () => ({ 'metadata.text': name }),
    () => ({ name: { in: VALUES.map((value) => `${value}${'y'.repeat(5_000)}`) } }),
  ])();
}

async function run(target: Target): Promise<void> {
  const { keys, workspace, collection, signal, send } = target;
  const random = new Random(target.seed);
  const base = `/v1/w/${workspace}`;
  await repeat(signal, PARALLEL, async () => {
    const filter = oddFilter(random);
    const search = { query: 'note', filter };
    const call = { name: 'search', arguments: search };
    const [path, key, body] = random.pick([
      [`${base}/search`, keys.read, search],
      [`${base}/col/${collection}/search`, keys.read, search],
      [`${base}/mcp`, keys.read, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }],
      [`${base}/chat`, keys.write, { collection_id: collection, filter }],
      [`${base}/col/${collection}/docs/delete`, keys.write, { filter: { and: [filter, { name: 'no such name' }] } }],
      [`${base}/col/${collection}/docs/retry`, keys.write, { filter: { and: [filter, { name: 'no such name' }] } }],
    ] as const);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    await send('POST', path, { key, body: JSON.stringify(body), headers });
  });
}

export const attack: Attack = { name: 'filters', fault: 'F1', run };
