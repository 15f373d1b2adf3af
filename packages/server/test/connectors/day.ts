/** A day of hourly synchronisations of a tree that changes, with a fake clock, checked hour by hour. */
import { createHash } from 'node:crypto';
import { ItemFailed, SourceUnavailable } from '@quire/connectors/connector-error';
import { sql } from 'kysely';
import { newId } from '../../src/shared/uuid.ts';
import { countsOf, type Engine } from './engine.ts';

export const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Maximum number of files in a page of the listing. */
const PAGE_FILES = 1000;
/** Share of the files that each change concerns in an hour, and the maximum number of those files. */
const CHANGED_SHARE = 0.01;
const MAX_CHANGED = 25;

/** One hour: which requests the source received and what the synchronisation counted, beside what was expected. */
export interface Hour {
  hour: number;
  status: string;
  counts: Record<string, number>;
  /** Paths that were fetched, sorted. */
  fetches: string[];
  pages: number;
  expected: { status: string; counts: Record<string, number>; fetches: string[]; pages: number };
}

/** Generates the same numbers in 0..1 in every run (linear congruential, constants of Numerical Recipes). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface File {
  /** A file keeps its id when it is moved or replaced. */
  id: string;
  text: string;
}

export class Day {
  readonly #engine: Engine;
  readonly #random = numbers(20_261_122);
  /** Files by path, as the source has them. */
  readonly #source = new Map<string, File>();
  /** Files by id, as the documents should have them. */
  readonly #imported = new Map<string, File & { path: string }>();
  #named = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async begin(files: number): Promise<void> {
    for (let at = 0; at < files; at += 1) this.#add();
    await this.#engine.connect({ schedule: '0 * * * *', maxDeletionShare: 0.5 });
    await this.#makeKnown();
  }

  /** Writes the rows that an earlier import of all files would have left. */
  async #makeKnown(): Promise<void> {
    const { source, database, connectorId, workspaceId, collectionId } = this.#engine;
    const files = [...source.files].map(([path, { id, version, bytes }]) => ({
      path,
      source_id: id,
      version,
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      document_id: newId(),
    }));
    const known = sql`jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
      as f(path text, source_id text, version text, size_bytes bigint, sha256 text, document_id uuid)`;
    await sql`
      insert into documents (id, workspace_id, collection_id, name, format, content_type, size_bytes, sha256, metadata,
        status, content_id)
      select document_id, ${workspaceId}, ${collectionId}, regexp_replace(path, '.*/', ''), 'txt', 'text/plain', size_bytes,
        sha256, jsonb_build_object('source', jsonb_build_object('connectorId', ${connectorId}::text, 'path', path,
        'url', null, 'modifiedAt', null)), 'ready', document_id
      from ${known}`.execute(database.db);
    await sql`
      insert into connector_items (connector_id, path, source_id, status, version, listed_version, size_bytes, sha256,
        document_id, synced_at)
      select ${connectorId}, path, source_id, 'synced', version, version, size_bytes, sha256, document_id, now()
      from ${known}`.execute(database.db);
    for (const [path, file] of this.#source) this.#imported.set(file.id, { ...file, path });
  }

  #add(): void {
    this.#named += 1;
    const folder = `folder ${String(this.#named % 40).padStart(2, '0')}`;
    this.#put(`${folder}/file ${this.#named}.txt`);
  }

  #put(path: string): void {
    this.#named += 1;
    const text = `content ${this.#named}`;
    this.#source.set(path, { id: this.#source.get(path)?.id ?? `file ${this.#named}`, text });
    this.#engine.source.put(path, text);
  }

  #pick(): string {
    const paths = [...this.#source.keys()];
    return paths[Math.floor(this.#random() * paths.length)] ?? '';
  }

  /** Replaces, adds, deletes and moves some of the files. Moved files keep their id. */
  #change(): void {
    const count = Math.min(MAX_CHANGED, Math.ceil(this.#source.size * CHANGED_SHARE));
    for (let at = 0; at < count; at += 1) this.#put(this.#pick());
    for (let at = 0; at < count; at += 1) this.#add();
    for (let at = 0; at < count; at += 1) {
      const path = this.#pick();
      this.#source.delete(path);
      this.#engine.source.files.delete(path);
    }
    for (let at = 0; at < count; at += 1) {
      const from = this.#pick();
      const to = `moved/${this.#named}-${from.replaceAll('/', ' ')}`;
      this.#named += 1;
      this.#engine.source.move(from, to);
      const file = this.#source.get(from);
      if (file !== undefined) this.#source.set(to, file);
      this.#source.delete(from);
    }
  }

  /** Runs the synchronisation that is due after another hour. In some hours the source is idle or fails. */
  async hour(hour: number): Promise<Hour> {
    const { source, maintenance } = this.#engine;
    const isIdle = hour % 4 === 3;
    if (hour > 0 && !isIdle) this.#change();
    const isDown = hour === 9;
    const failing =
      hour === 14 ? new Set(this.#changedPaths().filter((_path, at) => at % 10 > 0 && at % 10 < 4)) : new Set<string>();
    const expected = this.#expect(isDown, failing);
    source.fetches.length = 0;
    source.pages = 0;
    source.beforePage = () => {
      if (isDown) throw new SourceUnavailable('the source does not answer');
    };
    source.beforeFetch = (path) => {
      if (failing.has(path)) throw new ItemFailed(path, 'network', 'the connection ended');
    };
    this.#engine.clock += HOUR_MS;
    const started = await maintenance.run();
    if (started !== 1) throw new Error(`${started} synchronisations began in hour ${hour}`);
    const { id } = await this.#engine.running();
    const sync = await this.#engine.finish(id);
    const fetches = source.fetches.toSorted();
    return { hour, status: sync.status, counts: countsOf(sync), fetches, pages: source.pages, expected };
  }

  /** Paths whose content is new. */
  #changedPaths(): string[] {
    return [...this.#source]
      .flatMap(([path, { id, text }]) => (this.#imported.get(id)?.text === text ? [] : path))
      .toSorted();
  }

  /** Compares the source with the documents, as a correct synchronisation does, and takes it over. */
  #expect(isDown: boolean, failing: ReadonlySet<string>): Hour['expected'] {
    if (isDown) return { status: 'failed', counts: {}, fetches: [], pages: 0 };
    const counts = { listed: this.#source.size, added: 0, updated: 0, unchanged: 0, deleted: 0, failed: failing.size };
    const fetches = this.#changedPaths().filter((path) => !failing.has(path));
    const ids = new Set([...this.#source.values()].map(({ id }) => id));
    for (const id of this.#imported.keys()) {
      if (ids.has(id)) continue;
      counts.deleted += 1;
      this.#imported.delete(id);
    }
    for (const [path, file] of this.#source) {
      if (failing.has(path)) continue;
      const before = this.#imported.get(file.id);
      if (before === undefined) counts.added += 1;
      else if (before.path === path && before.text === file.text) counts.unchanged += 1;
      else counts.updated += 1;
      this.#imported.set(file.id, { ...file, path });
    }
    const pages = Math.max(1, Math.ceil(this.#source.size / PAGE_FILES));
    const nonzero = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
    return { status: failing.size > 0 ? 'done_with_errors' : 'done', counts: nonzero, fetches, pages };
  }

  /** Paths that should have a document, sorted. */
  paths(): string[] {
    return [...this.#imported.values()].map(({ path }) => path).toSorted();
  }
}
