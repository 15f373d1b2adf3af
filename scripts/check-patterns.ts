/**
 * `npm run check-patterns`: every regular expression that may run in the main process is proven to take linear time, or
 * it or its file has a reason in `check-patterns/allowed.ts` why it cannot become slow. `proven.json` keeps the proofs
 * by the text of the pattern: `--write` adds new ones, `--all` ignores the kept ones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOWED, BOUNDED } from './check-patterns/allowed.ts';
import { collectAll } from './check-patterns/collect.ts';
import { prove } from './check-patterns/prove.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const provenFile = path.join(root, 'scripts/check-patterns/proven.json');
const kept: string[] = process.argv.includes('--all') ? [] : (JSON.parse(readFileSync(provenFile, 'utf8')) as string[]);
const proven = new Set(kept);
const patterns = collectAll(root);
const failures: string[] = [];

for (const { text, source, flags, builtAtRunTime, files } of patterns.values()) {
  if (proven.has(text) || Object.hasOwn(ALLOWED, text)) continue;
  if ([...files].every((file) => Object.hasOwn(BOUNDED, file))) continue;
  const verdict = builtAtRunTime ? 'built at run time' : await prove(source, flags);
  if (verdict === 'linear') proven.add(text);
  else failures.push(`${[...files].join(', ')}: ${text}\n    ${verdict}`);
}
for (const text of Object.keys(ALLOWED)) {
  if (!patterns.has(text)) failures.push(`scripts/check-patterns/allowed.ts: no such pattern any more: ${text}`);
}

const checked = new Set([...patterns.values()].flatMap(({ files }) => [...files]));
for (const file of Object.keys(BOUNDED)) {
  if (!checked.has(file)) failures.push(`scripts/check-patterns/allowed.ts: no such file any more: ${file}`);
}

if (process.argv.includes('--write')) {
  const used = [...proven].filter((text) => patterns.has(text)).toSorted();
  writeFileSync(provenFile, `${JSON.stringify(used, null, 2)}\n`);
}
for (const failure of failures) console.error(failure);
console.log(`${patterns.size} patterns, ${failures.length} without a proof of linear time or a reason`);
if (failures.length > 0) process.exitCode = 1;
