import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { sql } from 'kysely';
import type { SecretBox } from '../../shared/secret-box.ts';
import { keyPlace } from './api-key.ts';

/**
 * Seals every stored secret anew, in one transaction, while no other can be written. What the new key has sealed
 * already is left alone, so that a rotation that was cut short can be done again. Returns how many were sealed.
 */
export function rotateSecrets(database: Kysely<Database>, from: SecretBox, to: SecretBox): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`lock table configurations in share row exclusive mode`.execute(transaction);
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
  });
}
