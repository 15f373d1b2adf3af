import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { credentialPlace } from '../connectors/credentials.ts';
import { secretPlace } from '../webhooks/signing-secrets.ts';
import { tokenSecretPlace } from '../keys/secret.ts';
import { keyPlace } from './api-key.ts';

/**
 * Seals every stored secret with a new key, in one transaction, with the tables locked against writes. Secrets that the
 * new key has sealed already are skipped, so that an interrupted rotation can be repeated. Returns the number of
 * secrets sealed.
 */
export function rotateSecrets(database: Kysely<Database>, from: SecretBox, to: SecretBox): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`lock table configurations, webhooks, api_keys, connectors, installation
      in share row exclusive mode`.execute(transaction);
    await sql`update installation set secret_key_id = ${to.keyId}`.execute(transaction);
    const keys = await rotateKeys(transaction, from, to);
    const tokenSecrets = await rotateTokenSecrets(transaction, from, to);
    const credentials = await rotateCredentials(transaction, from, to);
    return keys + tokenSecrets + credentials + (await rotateSigningSecrets(transaction, from, to));
  });
}

async function rotateKeys(transaction: Transaction<Database>, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await transaction
    .selectFrom('configurations')
    .select(['id', 'secrets'])
    .where(sql<string>`secrets::text`, '<>', '{}')
    .execute();
  let count = 0;
  for (const { id, secrets } of rows) {
    const sealed = secrets['apiKey'];
    if (sealed === undefined || to.sealedHere(sealed)) continue;
    const apiKey = to.seal(from.open(sealed, keyPlace(id)), keyPlace(id));
    await transaction
      .updateTable('configurations')
      .set({ secrets: JSON.stringify({ ...secrets, apiKey }) })
      .where('id', '=', id)
      .execute();
    count += 1;
  }
  return count;
}

async function rotateTokenSecrets(transaction: Transaction<Database>, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await transaction.selectFrom('api_keys').select(['id', 'token_secret']).execute();
  let count = 0;
  for (const { id, token_secret: sealed } of rows) {
    if (sealed === null || to.sealedHere(sealed)) continue;
    const place = tokenSecretPlace(id);
    const resealed = to.seal(from.open(sealed, place), place);
    await transaction.updateTable('api_keys').set({ token_secret: resealed }).where('id', '=', id).execute();
    count += 1;
  }
  return count;
}

/** Seals the credentials of connectors. */
async function rotateCredentials(transaction: Transaction<Database>, from: SecretBox, to: SecretBox): Promise<number> {
  const rows = await transaction.selectFrom('connectors').select(['id', 'secrets']).execute();
  let count = 0;
  for (const { id, secrets } of rows) {
    const old = Object.entries(secrets).filter(([, sealed]) => !to.sealedHere(sealed));
    if (old.length === 0) continue;
    const resealed = old.map(([field, sealed]) => {
      const place = credentialPlace(id, field);
      return [field, to.seal(from.open(sealed, place), place)] as const;
    });
    await transaction
      .updateTable('connectors')
      .set({ secrets: JSON.stringify({ ...secrets, ...Object.fromEntries(resealed) }) })
      .where('id', '=', id)
      .execute();
    count += old.length;
  }
  return count;
}

/** Seals signing secrets, with those that still sign after a rotation of their own. */
async function rotateSigningSecrets(
  transaction: Transaction<Database>,
  from: SecretBox,
  to: SecretBox,
): Promise<number> {
  const rows = await transaction.selectFrom('webhooks').select(['id', 'secret', 'previous_secrets']).execute();
  let count = 0;
  for (const { id, secret, previous_secrets: previous } of rows) {
    if (to.sealedHere(secret)) continue;
    const reseal = (sealed: string): string => to.seal(from.open(sealed, secretPlace(id)), secretPlace(id));
    const resealed = previous.map((each) => ({ ...each, secret: reseal(each.secret) }));
    await transaction
      .updateTable('webhooks')
      .set({ secret: reseal(secret), previous_secrets: JSON.stringify(resealed) })
      .where('id', '=', id)
      .execute();
    count += 1 + previous.length;
  }
  return count;
}
