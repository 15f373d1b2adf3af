import { PostgresDialect, PostgresDriver, type DatabaseConnection, type PostgresDialectConfig } from 'kysely';
import { insertAudit } from './insert-audit.ts';
import { pendingAudit } from './pending-audit.ts';

/** Writes the audit entry of the present request in its first transaction, immediately before the commit. */
class AuditedDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const pending = pendingAudit();
    if (pending !== undefined && pending.entry.workspaceId !== '')
      await connection.executeQuery(insertAudit([pending.entry]));
    await super.commitTransaction(connection);
    if (pending !== undefined) pending.settled = true;
  }
}

export class AuditedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new AuditedDriver(this.#config);
  }
}
