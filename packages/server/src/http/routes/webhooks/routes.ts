import type { DeliveryService } from '../../../domain/webhooks/delivery-service.ts';
import type { WebhookService } from '../../../domain/webhooks/service.ts';
import { accepted, created, ok, route, type Route } from '../../route.ts';
import { presentDelivery, presentWebhook } from './presenter.ts';
import {
  deliveryDetailShape,
  deliveryListQuery,
  deliveryShape,
  redeliveryBody,
  redeliveryShape,
  webhookBody,
  webhookChanges,
  webhookShape,
} from './schemas.ts';

const tag = 'Webhooks';

export const webhookRoutes = (webhooks: WebhookService, deliveries: DeliveryService): Route[] => [
  ...collectionRoutes(webhooks),
  ...recordRoutes(webhooks),
  ...deliveryRoutes(deliveries),
];

function collectionRoutes(webhooks: WebhookService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/webhooks',
      operationId: 'createWebhook',
      summary: 'Be told of events at an https address',
      description: 'Every delivery is signed with `signingSecret`, which is stored encrypted and never comes back.',
      tag,
      permission: 'admin',
      body: webhookBody,
      response: webhookShape,
      statuses: [201],
      handler: async ({ params, body }) => created(presentWebhook(await webhooks.create(params.ws, body))),
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks, newest first',
      tag,
      permission: 'read',
      response: webhookShape,
      list: true,
      handler: async ({ params, page }) => {
        const found = await webhooks.list(params.ws, page);
        return ok({ ...found, items: found.items.map(presentWebhook) });
      },
    }),
  ];
}

function recordRoutes(webhooks: WebhookService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/w/{ws}/webhooks/{webhook_id}',
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      tag,
      permission: 'read',
      response: webhookShape,
      handler: async ({ records }) => ok(presentWebhook(records.webhook_id)),
    }),
    route({
      method: 'PATCH',
      path: '/v1/w/{ws}/webhooks/{webhook_id}',
      operationId: 'updateWebhook',
      summary: 'Change a webhook, rotate its secret, or activate it again',
      description: 'For 24 hours after a rotation both secrets sign. What is queued goes to a new `url`.',
      tag,
      permission: 'admin',
      body: webhookChanges,
      response: webhookShape,
      handler: async ({ params, body }) =>
        ok(presentWebhook(await webhooks.update(params.ws, params.webhook_id, body))),
    }),
    route({
      method: 'DELETE',
      path: '/v1/w/{ws}/webhooks/{webhook_id}',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook for good: nothing that is queued is sent any more',
      tag,
      permission: 'admin',
      response: webhookShape,
      handler: async ({ params }) => ok(presentWebhook(await webhooks.remove(params.ws, params.webhook_id))),
    }),
  ];
}

function deliveryRoutes(deliveries: DeliveryService): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/w/{ws}/webhooks/{webhook_id}/test',
      operationId: 'testWebhook',
      summary: 'Send a signed example (`webhook.test`) at once, and see what comes back',
      tag,
      permission: 'admin',
      response: deliveryShape,
      handler: async ({ params }) => ok(presentDelivery(await deliveries.test(params.ws, params.webhook_id))),
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries of a webhook, newest first',
      tag,
      permission: 'read',
      query: deliveryListQuery,
      response: deliveryShape,
      list: true,
      handler: async ({ params, query, page }) => {
        const found = await deliveries.list(params.ws, { ...query, webhookId: params.webhook_id }, page);
        return ok({ ...found, items: found.items.map(presentDelivery) });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/deliveries',
      operationId: 'listDeliveries',
      summary: 'List deliveries of all webhooks, deleted ones too, newest first',
      description: '`status=failed` is the log of failures. Deliveries are kept for 30 days.',
      tag,
      permission: 'read',
      query: deliveryListQuery,
      response: deliveryShape,
      list: true,
      handler: async ({ params, query, page }) => {
        const found = await deliveries.list(params.ws, query, page);
        return ok({ ...found, items: found.items.map(presentDelivery) });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/w/{ws}/deliveries/{delivery_id}/redeliver',
      operationId: 'redeliver',
      summary: 'Send a delivery again, with the same `webhook-id`',
      tag,
      permission: 'admin',
      response: deliveryShape,
      statuses: [202],
      handler: async ({ params }) =>
        accepted(presentDelivery(await deliveries.redeliver(params.ws, params.delivery_id))),
    }),
    route({
      method: 'GET',
      path: '/v1/w/{ws}/deliveries/{delivery_id}',
      operationId: 'getDelivery',
      summary: 'Read a delivery, with the body that is sent',
      tag,
      permission: 'read',
      response: deliveryDetailShape,
      handler: async ({ records }) => {
        const { delivery_id: delivery } = records;
        return ok({ ...presentDelivery(delivery), body: await deliveries.bodyOf(delivery) });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/w/{ws}/deliveries/redeliver',
      operationId: 'redeliverFailed',
      summary: 'Send failed deliveries again, by webhook, event and time',
      description:
        'The body is optional: without it all failed deliveries are sent again. Deliveries of deleted or disabled webhooks and ' +
        'examples (`webhook.test`) are skipped. Each starts the schedule of attempts from the beginning.',
      tag,
      permission: 'admin',
      body: redeliveryBody,
      response: redeliveryShape,
      statuses: [202],
      handler: async ({ params, body }) =>
        accepted({ redelivered: await deliveries.redeliverFailed(params.ws, body ?? {}) }),
    }),
  ];
}
