/** Webhooks: the subscriptions and deliveries that clients deal with, and what sends them in a worker process. */
import { DeliveryAttempts } from '../domain/webhooks/attempts.ts';
import { DeliveryClaims } from '../domain/webhooks/claims.ts';
import { DeliveryService } from '../domain/webhooks/delivery-service.ts';
import { OutboxDispatch } from '../domain/webhooks/outbox-dispatch.ts';
import { WebhookRetention } from '../domain/webhooks/retention.ts';
import { WebhookService } from '../domain/webhooks/service.ts';
import { DeliverySettlement } from '../domain/webhooks/settlement.ts';
import { subsystem } from '../logger.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { WebhookSender } from '../webhooks/sender.ts';
import { WebhookDeliverer } from '../workers/deliver-webhooks.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

export function buildWebhooks(
  { database, notifications, outbound, metrics, logger }: Foundation,
  secretBox: SecretBox,
) {
  const { db } = database;
  const attempts = new DeliveryAttempts({
    sender: new WebhookSender({ outbound, now: Date.now }),
    secretBox,
    now: Date.now,
    logger: subsystem(logger, 'webhooks'),
    observe: (outcome, seconds) => metrics.observeDelivery(outcome, seconds),
  });
  const settlement = new DeliverySettlement({ database: db, random: Math.random });
  return {
    webhooks: new WebhookService({
      database: db,
      secretBox,
      refusal: (url) => outbound.refusal(url),
      now: Date.now,
    }),
    deliveries: new DeliveryService({ database: db, notifications, attempts, settlement }),
    deliveryAttempts: attempts,
    deliverySettlement: settlement,
    deliveryClaims: new DeliveryClaims({ database: db }),
    webhookRetention: new WebhookRetention({ database: db }),
  };
}

/** Builds the component that sends webhooks in a worker process. It commits synchronously (`OutboxDispatch`). */
export function buildDeliverer({ database, services, notifications, logger }: Parts): WebhookDeliverer {
  return new WebhookDeliverer({
    dispatch: new OutboxDispatch({ database: database.db }),
    claims: services.deliveryClaims,
    attempts: services.deliveryAttempts,
    settlement: services.deliverySettlement,
    notifications,
    logger: subsystem(logger, 'webhooks'),
  });
}
