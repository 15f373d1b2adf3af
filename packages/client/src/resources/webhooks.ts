import type { Delivery, DeliveryDetail, Query, Schemas, Webhook } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { Crud } from './crud.ts';
import { Resource } from './resource.ts';

/** Subscriptions to events. `verifyWebhook` checks what they deliver. */
export class Webhooks extends Crud<
  Webhook,
  Schemas['CreateWebhookRequest'],
  Schemas['UpdateWebhookRequest'],
  Query<'listWebhooks'>,
  object
> {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/webhooks');
  }

  /** Sends a `webhook.test` event and returns its delivery. */
  test(id: string, options: CallOptions = {}): Promise<Delivery> {
    return this.call('POST', path`/${id}/test`, options);
  }

  deliveries(id: string, options: Query<'listWebhookDeliveries'> & CallOptions = {}): Listing<Delivery> {
    return this.records(path`/${id}/deliveries`, options);
  }
}

/** The delivery log of all webhooks of the workspace. */
export class Deliveries extends Resource {
  constructor(transport: Transport) {
    super(transport, '/v1/w/{ws}/deliveries');
  }

  list(options: Query<'listDeliveries'> & CallOptions = {}): Listing<Delivery> {
    return this.records('', options);
  }

  /** Returns a delivery with the body that was sent. */
  get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    return this.call('GET', path`/${id}`, options);
  }

  redeliver(id: string, options: CallOptions = {}): Promise<Delivery> {
    return this.call('POST', path`/${id}/redeliver`, options);
  }

  /** Sends all failed deliveries that match again. */
  redeliverFailed(
    selection: Schemas['RedeliverFailedRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['RedeliveryResult']> {
    return this.call('POST', '/redeliver', options, { json: selection });
  }
}
