/** Sends the webhooks of the database of argv[2], trusting the authority of argv[3], until it is killed. */
import { readFileSync } from 'node:fs';
import pino from 'pino';
import { deriveSecrets } from '../../src/config/secrets.ts';
import { connectDatabase } from '../../src/database/connect.ts';
import { PostgresNotifications } from '../../src/database/notifications-postgres.ts';
import { DeliveryAttempts } from '../../src/domain/webhooks/attempts.ts';
import { DeliveryClaims } from '../../src/domain/webhooks/claims.ts';
import { OutboxDispatch } from '../../src/domain/webhooks/outbox-dispatch.ts';
import { DeliverySettlement } from '../../src/domain/webhooks/settlement.ts';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { SecretBox } from '../../src/shared/secret-box.ts';
import { WebhookSender } from '../../src/webhooks/sender.ts';
import { WebhookDeliverer } from '../../src/workers/deliver-webhooks.ts';

const [, , connection = '', caFile = ''] = process.argv;

const logger = pino({ level: 'silent' });
const { db } = connectDatabase({ connection, poolSize: 3, applicationName: 'deliverer process', logger });
const outbound = new OutboundClient(new AddressRules(['127.0.0.1', 'localhost']), {
  extraCa: readFileSync(caFile, 'utf8'),
});
new WebhookDeliverer({
  dispatch: new OutboxDispatch({ database: db }),
  claims: new DeliveryClaims({ database: db }),
  attempts: new DeliveryAttempts({
    sender: new WebhookSender({ outbound, now: Date.now }),
    secretBox: new SecretBox(deriveSecrets('the-secret-key-of-the-tests')),
    now: Date.now,
    logger,
    observe: () => undefined,
  }),
  settlement: new DeliverySettlement({ database: db, random: Math.random }),
  notifications: await PostgresNotifications.connect({ connection, logger }),
  logger,
}).start();
console.log('sending');
