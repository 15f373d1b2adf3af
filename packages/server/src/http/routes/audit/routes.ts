import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { AuditRecord } from '../../../database/tables.ts';
import type { AuditService } from '../../../domain/audit/service.ts';
import { NDJSON } from '../../ndjson.ts';
import { ok, route, type Route } from '../../route.ts';
import { iso } from '../../schemas/common.ts';
import { auditQuery, auditShape } from './schemas.ts';

export function auditRoutes(audit: AuditService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/w/{ws}/audit',
      operationId: 'listAuditEntries',
      summary: 'List changes, reads of originals and refused requests, newest first',
      description:
        'With `format=jsonl` all matching entries are streamed as lines of JSON (`application/x-ndjson`), without pages.',
      tag: 'Audit',
      permission: 'admin',
      query: auditQuery,
      response: auditShape,
      list: true,
      handler: async ({ params, query, page, reply }) => {
        if (query.format === 'jsonl') {
          const entries = audit.all(params.ws, query, query.order ?? 'desc');
          return reply
            .type(NDJSON)
            .header('cache-control', 'no-store')
            .send(Readable.from(toLines(entries)));
        }
        const found = await audit.list(params.ws, query, page);
        return ok({ ...found, items: found.items.map(presentAuditEntry) });
      },
    }),
  ];
}

async function* toLines(pages: AsyncIterable<AuditRecord[]>): AsyncGenerator<string> {
  for await (const entries of pages) {
    yield entries.map((entry) => `${JSON.stringify(presentAuditEntry(entry))}\n`).join('');
  }
}

const presentAuditEntry = (record: AuditRecord): z.output<typeof auditShape> => ({
  id: record.id,
  at: iso(record.at),
  action: record.action,
  resourceType: record.resource_type,
  resourceId: record.resource_id,
  actor: record.actor,
  keyId: record.key_id,
  subject: record.subject,
  requestId: record.request_id,
  address: record.address,
  outcome: record.outcome,
  details: record.details,
});
