/** API keys: create, list, revoke, and authenticate requests. */
import type { Kysely } from 'kysely';
import type { ApiKeyRecord, Database } from '../../database/tables.ts';
import { auditResource } from '../../database/pending-audit.ts';
import { ApiError, apiError, forbidden, notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import { RecentReads } from '../../shared/recent-reads.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { newId } from '../../shared/uuid.ts';
import { KeyLookups } from './key-lookups.ts';
import { KeyRepository } from './repository.ts';
import { hashKey, keyHint, mintKey, sameHash, tokenSecretPlace } from './secret.ts';
import { readToken, tokenSecretOf, verifyToken, TokenRefused, type UnverifiedToken } from './token.ts';
import { tokenPrincipal } from './token-principal.ts';
import { allows, type NewKey, type Principal } from './types.ts';

const LAST_USED_COARSENESS_MS = 5 * 60_000;
/** Lifetime of a cache entry, in ms: the maximum delay until another process's revocation takes effect. */
const CACHE_MS = 500;

export interface KeyServiceDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  now: () => number;
  /** Reports why a scoped token was refused; the answer to the client does not say. */
  onTokenRefused?: (refusal: TokenRefused) => void;
}

export class KeyService {
  readonly #keys: KeyRepository;
  readonly #lookups: KeyLookups;
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #secretBox: SecretBox;
  readonly #onTokenRefused: (refusal: TokenRefused) => void;
  readonly #recent: RecentReads<ApiKeyRecord>;
  #root: ApiKeyRecord | undefined;

  constructor(deps: KeyServiceDeps) {
    this.#database = deps.database;
    this.#keys = new KeyRepository(deps.database);
    this.#lookups = new KeyLookups(this.#keys);
    this.#now = deps.now;
    this.#secretBox = deps.secretBox;
    this.#onTokenRefused = deps.onTokenRefused ?? (() => undefined);
    this.#recent = new RecentReads({ keptMs: CACHE_MS });
  }

  /** Returns the principal of a key or scoped token; undefined if it is unknown, revoked, expired or not valid. */
  async authenticate(credential: string): Promise<Principal | undefined> {
    try {
      const token = readToken(credential);
      return token === undefined ? await this.#authenticateKey(credential) : await this.#authenticateToken(token);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      this.#onTokenRefused(error);
      return undefined;
    }
  }

  async #authenticateToken(token: UnverifiedToken): Promise<Principal> {
    const { keyId } = token;
    const record = this.#recent.peek(keyId) ?? (await this.#recent.get(keyId, () => this.#readById(keyId)));
    if (record === undefined || this.#hasExpired(record)) throw new TokenRefused('unknown_key', keyId);
    const sealed = record.token_secret;
    if (sealed === null || !this.#secretBox.sealedHere(sealed)) throw new TokenRefused('no_token_secret', keyId);
    const secret = Buffer.from(this.#secretBox.open(sealed, tokenSecretPlace(keyId)), 'base64url');
    return tokenPrincipal(record, verifyToken(token, secret, this.#now()));
  }

  async #readById(keyId: string): Promise<ApiKeyRecord | undefined> {
    const record = await this.#lookups.findById(keyId);
    if (record !== undefined) await this.#noteUse(record);
    return record;
  }

  async #authenticateKey(key: string): Promise<Principal | undefined> {
    const hash = hashKey(key);
    const name = hash.toString('hex');
    const record =
      this.#recent.peek(name) ??
      (await this.#recent
        .get(name, () => this.#read(key, hash))
        .catch((error: unknown) => this.#knownRoot(hash, error)));
    if (record?.permission === 'root') this.#root = record;
    if (record === undefined || this.#hasExpired(record)) return undefined;
    return {
      keyId: record.id,
      permission: record.permission,
      workspaceId: record.workspace_id,
      collectionIds: record.collection_ids,
    };
  }

  async #read(key: string, hash: Buffer): Promise<ApiKeyRecord | undefined> {
    const record = await this.#lookups.findByHash(hash);
    if (record === undefined || !sameHash(record.key_hash, hash)) return undefined;
    await this.#noteUse(record);
    const sealed = record.token_secret;
    if (record.workspace_id !== null && (sealed === null || !this.#secretBox.sealedHere(sealed))) {
      await this.#keys.setTokenSecret(record.id, this.#sealTokenSecret(record.id, key));
    }
    return record;
  }

  /** Returns the root key that was valid last, so that `/metrics` answers while the database is away. */
  #knownRoot(hash: Buffer, error: unknown): ApiKeyRecord {
    if (this.#root === undefined || !sameHash(this.#root.key_hash, hash)) throw error;
    return this.#root;
  }

  async #noteUse({ id, last_used_at: lastUsedAt }: ApiKeyRecord): Promise<void> {
    if (this.#now() - (lastUsedAt?.getTime() ?? 0) > LAST_USED_COARSENESS_MS) await this.#keys.touch(id);
  }

  #sealTokenSecret(keyId: string, key: string): string {
    return this.#secretBox.seal(tokenSecretOf(key).toString('base64url'), tokenSecretPlace(keyId));
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
    if (caller.token !== undefined) throw forbidden('A token cannot make a key, which would outlive it');
    if (!allows(caller, input.permission)) {
      throw apiError(403, 'forbidden', 'A key cannot make one with more permission than its own');
    }
    const collectionIds = await this.#collections(workspaceId, caller, input);
    const key = mintKey();
    const id = newId();
    auditResource('key', id);
    const values = {
      id,
      workspace_id: workspaceId,
      name: input.name,
      permission: input.permission,
      collection_ids: collectionIds,
      key_hash: hashKey(key),
      key_hint: keyHint(key),
      token_secret: this.#sealTokenSecret(id, key),
      expires_at: input.expiresAt ?? null,
    };
    const record = await this.#database
      .transaction()
      .execute((transaction) => new KeyRepository(transaction).insert(values));
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
    const record = await this.#database
      .transaction()
      .execute((transaction) => new KeyRepository(transaction).delete(workspaceId, keyId));
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
        token_secret: null,
      });
    });
    this.#root = undefined;
    this.#recent.forgetAll();
    return key;
  }
}
