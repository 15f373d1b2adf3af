import type { Delivery, DeliveryDetail, Query, Schemas, Webhook } from '../api.ts';
import type { Listing } from '../listing.ts';
import { path, type CallOptions, type Transport } from '../transport.ts';
import { Crud } from './crud.ts';

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
    return this.transport.list(this.base + path`/${id}/deliveries`, options);
  }
}

const DELIVERIES = '/v1/w/{ws}/deliveries';

/** The delivery log of all webhooks of the workspace. */
export class Deliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options: Query<'listDeliveries'> & CallOptions = {}): Listing<Delivery> {
    return this.#transport.list(DELIVERIES, options);
  }

  /** Returns a delivery with the body that was sent. */
  get(id: string, options: CallOptions = {}): Promise<DeliveryDetail> {
    return this.#transport.data({ path: DELIVERIES + path`/${id}`, ...options });
  }

  redeliver(id: string, options: CallOptions = {}): Promise<Delivery> {
    return this.#transport.data({ method: 'POST', path: DELIVERIES + path`/${id}/redeliver`, ...options });
  }

  /** Sends all failed deliveries that match again. */
  redeliverFailed(
    selection: Schemas['RedeliverFailedRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['RedeliveryResult']> {
    return this.#transport.data({ method: 'POST', path: `${DELIVERIES}/redeliver`, json: selection, ...options });
  }
}
