/** API keys: create, list, revoke, and authenticate requests. */
import type { Kysely } from 'kysely';
import type { ApiKeyRecord, Database } from '../../database/tables.ts';
import { ApiError, apiError, notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import { newId } from '../../shared/uuid.ts';
import { KeyRepository } from './repository.ts';
import { hashKey, keyHint, mintKey, sameHash } from './secret.ts';
import { allows, type NewKey, type Principal } from './types.ts';

const LAST_USED_COARSENESS_MS = 5 * 60_000;
/** Lifetime of a cache entry, in ms: the maximum delay until another process's revocation takes effect. */
const CACHE_MS = 500;

export interface KeyServiceDeps {
  database: Kysely<Database>;
  now: () => number;
}

export class KeyService {
  readonly #keys: KeyRepository;
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #recent: RecentReads<ApiKeyRecord>;

  constructor(deps: KeyServiceDeps) {
    this.#database = deps.database;
    this.#keys = new KeyRepository(deps.database);
    this.#now = deps.now;
    this.#recent = new RecentReads({ keptMs: CACHE_MS });
  }

  /** Returns the principal of a key; undefined if it is unknown, revoked or expired. */
  async authenticate(key: string): Promise<Principal | undefined> {
    const hash = hashKey(key);
    const name = hash.toString('hex');
    const record = this.#recent.peek(name) ?? (await this.#recent.get(name, () => this.#read(hash)));
    if (record === undefined || this.#hasExpired(record)) return undefined;
    return {
      keyId: record.id,
      permission: record.permission,
      workspaceId: record.workspace_id,
      collectionIds: record.collection_ids,
    };
  }

  async #read(hash: Buffer): Promise<ApiKeyRecord | undefined> {
    const record = await this.#keys.findByHash(hash);
    if (record === undefined || !sameHash(record.key_hash, hash)) return undefined;
    const lastUsed = record.last_used_at?.getTime() ?? 0;
    if (this.#now() - lastUsed > LAST_USED_COARSENESS_MS) await this.#keys.touch(record.id);
    return record;
  }

  #hasExpired({ expires_at: expiresAt }: ApiKeyRecord): boolean {
    return expiresAt !== null && expiresAt.getTime() <= this.#now();
  }

  /** Clears the cache after a workspace was deleted, so that its keys are refused at once. */
  forgetRecent(): void {
    this.#recent.forgetAll();
  }

  /** Creates a key. The key itself is returned only here. */
  async create(workspaceId: string, caller: Principal, input: NewKey): Promise<{ record: ApiKeyRecord; key: string }> {
    if (!allows(caller, input.permission)) {
      throw apiError(403, 'forbidden', 'A key cannot make one with more permission than its own');
    }
    const collectionIds = await this.#collections(workspaceId, caller, input);
    const key = mintKey();
    const record = await this.#keys.insert({
      id: newId(),
      workspace_id: workspaceId,
      name: input.name,
      permission: input.permission,
      collection_ids: collectionIds,
      key_hash: hashKey(key),
      key_hint: keyHint(key),
      expires_at: input.expiresAt ?? null,
    });
    return { record, key };
  }

  /** Checks the collections of a new key: within those of the caller's key, and of the workspace. */
  async #collections(workspaceId: string, caller: Principal, input: NewKey): Promise<string[] | null> {
    const wanted = input.collectionIds ?? (caller.collectionIds === null ? null : [...caller.collectionIds]);
    if (wanted === null) return null;
    const known = await this.#database
      .selectFrom('collections')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', (eb) => eb.fn.any(eb.val(wanted)))
      .execute();
    const reachable = new Set(known.map((row) => row.id));
    const problems = wanted.flatMap((id, position) =>
      reachable.has(id) && (caller.collectionIds === null || caller.collectionIds.includes(id))
        ? []
        : valueError(['body', 'collectionIds', position], 'there is no such collection', id).details,
    );
    if (problems.length > 0) throw new ApiError(422, problems);
    return wanted;
  }

  findById(workspaceId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    return this.#keys.findById(workspaceId, keyId);
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<ApiKeyRecord>> {
    return this.#keys.list(workspaceId, query);
  }

  /** Revokes the key at once; other processes refuse it after 0.5 s at most. */
  async revoke(workspaceId: string, keyId: string): Promise<ApiKeyRecord> {
    const record = await this.#keys.delete(workspaceId, keyId);
    this.#recent.forgetAll();
    if (record === undefined) throw notFound();
    return record;
  }

  /**
   * Ensures that there is a root key. Returns a key that was generated here, to be shown once. A configured key
   * replaces any other.
   */
  async ensureRootKey(configured: string | null): Promise<string | null> {
    if (configured !== null) {
      const principal = await this.authenticate(configured);
      if (principal?.permission !== 'root') await this.replaceRootKey(configured);
      return null;
    }
    return (await this.#keys.hasRoot()) ? null : this.replaceRootKey(mintKey());
  }

  /** Replaces the root key, for instance a lost one, and returns the new one. */
  async replaceRootKey(key: string = mintKey()): Promise<string> {
    await this.#database.transaction().execute(async (transaction) => {
      const keys = new KeyRepository(transaction);
      await keys.deleteRoot();
      await keys.insert({
        id: newId(),
        workspace_id: null,
        name: 'root',
        permission: 'root',
        collection_ids: null,
        key_hash: hashKey(key),
        key_hint: keyHint(key),
      });
    });
    this.#recent.forgetAll();
    return key;
  }
}
