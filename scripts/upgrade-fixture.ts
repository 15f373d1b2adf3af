/**
 * `npm run upgrade-fixture -- NAME`: writes the data that the upgrade test starts the present code on, made by this
 * version: a backup of a small service, and what its clients saw. Run it once for each release, at its tag.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService, removeDirectory, whenSettled } from '../packages/server/test/service-process.ts';
import { UPGRADE_KEYS, type UpgradeExpectation } from '../packages/server/test/upgrade/expectation.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^v\d+\.\d+\.\d+$/.test(name)) throw new Error('Usage: npm run upgrade-fixture -- v0.1.0');
const target = fileURLToPath(new URL(`../packages/server/test/upgrade/${name}`, import.meta.url));
const main = new URL('../packages/server/dist/main.js', import.meta.url).href;

const TEXTS = {
  'gate.md': '# Lock gate\n\nThe upper gate opens at nine. In winter it opens at ten.',
  'tolls.md': '# Tolls\n\nA barge pays twelve crowns. Rowing boats pass free of charge.',
  'regeln.md': '# Regeln\n\nDie Schleusung dauert zwanzig Minuten. Hunde sind an der Leine zu führen.',
};
const QUERIES = ['when does the gate open', 'what does a barge pay', 'Dauer der Schleusung'];

const folder = mkdtempSync(path.join(tmpdir(), 'quire-upgrade-'));
const dataDir = path.join(folder, 'data');
const env = { QUIRE_SECRET_KEY: UPGRADE_KEYS.secret };
const service = await startService({ dataDir, rootKey: UPGRADE_KEYS.root, env });
const workspace = `/w/${(await service.request<{ id: string }>('POST', '/workspaces', { name })).id}`;
const { id: collectionId } = await service.request<{ id: string }>('POST', `${workspace}/col`, { name });
const collection = `${workspace}/col/${collectionId}`;
for (const [file, content] of Object.entries(TEXTS)) {
  const body = { name: file, contentType: 'text/markdown', content };
  const { id } = await service.request<{ id: string }>('POST', `${collection}/docs/raw`, body);
  await whenSettled(service, `${collection}/docs/${id}`);
}
const chat = await service.request<{ id: string }>('POST', `${workspace}/chat`, { collection_id: collectionId });
await service.request('POST', `${workspace}/chat/${chat.id}/message`, { query: QUERIES[0], stream: false });
const searches: UpgradeExpectation['searches'] = [];
for (const query of QUERIES) {
  const search = { query, limit: 1 };
  const { hits } = await service.request<{ hits: { documentName: string }[] }>('POST', `${collection}/search`, search);
  searches.push({ query, documentName: hits[0]?.documentName ?? '' });
}
const history = `${workspace}/chat/${chat.id}/history`;
const { items } = await service.request<{ items: UpgradeExpectation['messages'] }>('GET', history);
const messages = items.map(({ id, role, status, parts }) => ({ id, role, status, parts }));
await service.stop();
const script = `import(${JSON.stringify(main)}).then(({ main }) => main('backup', [${JSON.stringify(`${target}.backup`)}]))`;
execFileSync(process.execPath, ['-e', script], {
  env: { ...process.env, ...env, QUIRE_DATA_DIR: dataDir },
  stdio: 'inherit',
});
const expectation: UpgradeExpectation = { collection, history, searches, messages };
writeFileSync(`${target}.json`, `${JSON.stringify(expectation, null, 2)}\n`);
removeDirectory(folder);
