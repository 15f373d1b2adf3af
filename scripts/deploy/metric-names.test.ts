import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (...parts: string[]): string => readFileSync(path.join(root, ...parts), 'utf8');
const namesIn = (text: string, pattern: RegExp): Set<string> => new Set(text.match(pattern) ?? []);

function registeredNames(): Set<string> {
  const folder = path.join('packages', 'server', 'src');
  const sources = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  return namesIn(sources.map((file) => read(folder, file)).join('\n'), /(?<=')quire_[a-z_]+(?=')/g);
}

describe.each(['prometheus-alerts.yaml', 'grafana-dashboard.json'])('%s', (file) => {
  it('uses only metrics that the service registers', () => {
    const registered = registeredNames();
    const used = [...namesIn(read('deploy', file), /\bquire_[a-z_]+/g)].map((name) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !registered.has(name))).toEqual([]);
  });
});
