/**
 * `npm run test:opensearch -- --ranks DIR`: what a shared index does to ranks. Each retrieval set of the folder
 * (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`) is written to an index of its own and to one that all sets share, a
 * row per document, and its queries are searched by terms in both. Vectors have no common statistics.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OpenSearchIndex } from '@quire/search/opensearch/opensearch-index';
import { parseOpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import type { IndexTable } from '@quire/search/search-index';
import { analyse } from '@quire/text/language/analyse';
import { analyseQuery } from '@quire/text/language/analyse-query';
import { detectLanguage } from '@quire/text/language/detect';
import { confidenceInterval, ndcg } from '../../bench/ir-metrics.ts';
import { readSet, type TestSet } from '../../bench/retrieval-sets.ts';
import type { OpenSearchServers } from './opensearch-node.ts';

const BATCH = 2_000;
const DEPTH = 10;

interface PreparedSet {
  name: string;
  table: IndexTable;
  language: string | null;
  set: TestSet;
}

async function prepare(folder: string, name: string): Promise<PreparedSet> {
  const set = readSet(path.join(folder, name));
  const language = await detectLanguage(
    set.documents
      .slice(0, 20)
      .map(({ text }) => text)
      .join('\n'),
  );
  return { name, table: { name: name.replaceAll('-', '_'), dimensions: null }, language, set };
}

async function load(index: OpenSearchIndex, { table, language, set }: PreparedSet): Promise<void> {
  const rows = set.documents.map(({ title = '', text }, key) => ({
    chunkKey: BigInt(key),
    documentKey: BigInt(key),
    revision: 1,
    terms: analyse(`${title}\n${text}`, language).join(' '),
  }));
  for (let start = 0; start < rows.length; start += BATCH) {
    await index.add(table, rows.slice(start, start + BATCH), { isBuild: true });
  }
  await index.optimize(table);
}

/** Returns the first documents and nDCG of each query. */
async function search(
  index: OpenSearchIndex,
  { table, language, set }: PreparedSet,
): Promise<{ ranked: string[]; gain: number }[]> {
  const found: { ranked: string[]; gain: number }[] = [];
  for (const { _id, text } of set.queries) {
    const terms = analyseQuery(text, [{ language: language ?? 'und', documents: 1 }]);
    const hits = await index.searchSparse(table, terms, DEPTH);
    const ranked = hits.map(({ chunkKey }) => set.documents[Number(chunkKey)]?._id ?? '');
    found.push({ ranked, gain: ndcg(ranked, set.relevance.get(_id) ?? new Map<string, number>(), DEPTH) });
  }
  return found;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export async function measurePooledRanks(servers: OpenSearchServers, folder: string): Promise<void> {
  const open = (pool: boolean): OpenSearchIndex =>
    new OpenSearchIndex({
      location: parseOpenSearchLocation(`${servers.address}/ranks-${pool}?replicas=0&pool=${pool}`),
    });
  const [own, shared] = [open(false), open(true)];
  const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'qrels.tsv')));
  const sets = await Promise.all(names.toSorted().map((name) => prepare(folder, name)));
  for (const set of sets) {
    await load(own, set);
    await load(shared, set);
  }
  process.stdout.write(
    'set, documents, queries: nDCG@10 own, shared, difference [95 %], same first hit, hits in common\n',
  );
  for (const set of sets) {
    const [alone, pooled] = [await search(own, set), await search(shared, set)];
    const differences = alone.map(({ gain }, at) => (pooled[at]?.gain ?? 0) - gain);
    const [low, high] = confidenceInterval(differences).map((value) => value.toFixed(4));
    const isSameFirst = alone.map(({ ranked }, at) => Number(ranked[0] === pooled[at]?.ranked[0]));
    const common = alone.map(({ ranked }, at) => {
      const others = new Set(pooled[at]?.ranked);
      return ranked.length === 0 ? 1 : ranked.filter((id) => others.has(id)).length / ranked.length;
    });
    process.stdout.write(
      `${set.name}, ${set.set.documents.length}, ${set.set.queries.length}: ${mean(alone.map(({ gain }) => gain)).toFixed(4)}, ` +
        `${mean(pooled.map(({ gain }) => gain)).toFixed(4)}, ${mean(differences).toFixed(4)} [${low}, ${high}], ` +
        `${mean(isSameFirst).toFixed(3)}, ${mean(common).toFixed(3)}\n`,
    );
  }
  await Promise.all([own.close(), shared.close()]);
}
