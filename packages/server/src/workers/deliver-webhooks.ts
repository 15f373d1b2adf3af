/**
 * Sends deliveries: creates them from new events, claims due ones, sends many concurrently and writes results in
 * batches. Every worker process runs one. Notifications wake it, and it polls for due retries.
 */
import type { Notifications } from '../database/notifications.ts';
import type { DeliveryAttempts } from '../domain/webhooks/attempts.ts';
import type { DeliveryClaims } from '../domain/webhooks/claims.ts';
import { EVENTS_TOPIC } from '../domain/events/outbox.ts';
import type { OutboxDispatch } from '../domain/webhooks/outbox-dispatch.ts';
import type { DeliverySettlement, SettledAttempt } from '../domain/webhooks/settlement.ts';
import { DELIVERIES_TOPIC, type ClaimedDelivery } from '../domain/webhooks/types.ts';
import type { Logger } from '../logger.ts';
import { isConnectionLoss } from '../shared/connection-loss.ts';
import { InterruptibleWait } from '../shared/interruptible-wait.ts';
import { pause } from '@quire/shared/pause';
import { HostSlots } from './host-slots.ts';

/** Time between two polls for due deliveries, in ms. */
const POLL_MS = 1000;
/** Time between two rounds under load, in ms; the claims and results of that time share one statement. */
const ROUND_MS = 10;
/** Minimum time between two rounds that create deliveries, in ms: each waits for a disk write. */
const DISPATCH_MS = 50;
/** Maximum number of concurrent requests over all hosts. */
const MAX_CONCURRENT_REQUESTS = 1024;
const RETRY_SETTLE_MS = 1000;
/** Grace period of requests in progress when the process stops, in ms. */
const STOP_MS = 10_000;

export interface WebhookDelivererDeps {
  dispatch: OutboxDispatch;
  claims: DeliveryClaims;
  attempts: DeliveryAttempts;
  settlement: DeliverySettlement;
  notifications: Notifications;
  logger: Logger;
}

export class WebhookDeliverer {
  readonly #deps: WebhookDelivererDeps;
  readonly #slots = new HostSlots();
  readonly #stopping = new AbortController();
  readonly #sending = new Map<Promise<void>, AbortController>();
  #results: SettledAttempt[] = [];
  #unsent: ClaimedDelivery[] = [];
  #newEvents = true;
  #dispatchedAt = -Infinity;
  #dispatchTimer: NodeJS.Timeout | undefined;
  #work = true;
  readonly #sleeping = new InterruptibleWait();
  #ended: Promise<void> = Promise.resolve();
  #unsubscribes: (() => void)[] = [];

  constructor(deps: WebhookDelivererDeps) {
    this.#deps = deps;
  }

  start(): this {
    const { notifications } = this.#deps;
    this.#unsubscribes = [
      notifications.subscribe(EVENTS_TOPIC, () => {
        this.#newEvents = true;
        this.#dispatchSoon();
      }),
      notifications.subscribe(DELIVERIES_TOPIC, () => this.#rouse()),
    ];
    this.#ended = this.#run();
    return this;
  }

  /** Stops claiming. Requests in progress may finish; unsent deliveries are released for other processes. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#stopping.abort();
    clearTimeout(this.#dispatchTimer);
    this.#rouse();
    await this.#ended;
    const timer = setTimeout(() => {
      for (const controller of this.#sending.values()) controller.abort();
    }, STOP_MS);
    await Promise.all(this.#sending.keys());
    clearTimeout(timer);
    await this.#settle();
    await this.#deps.claims.release(this.#unsent);
  }

  get #dispatchRestMs(): number {
    return DISPATCH_MS - (performance.now() - this.#dispatchedAt);
  }

  #dispatchSoon(): void {
    const restMs = this.#dispatchRestMs;
    if (restMs <= 0) this.#rouse();
    else
      this.#dispatchTimer ??= setTimeout(() => {
        this.#dispatchTimer = undefined;
        this.#rouse();
      }, restMs);
  }

  #rouse(): void {
    this.#work = true;
    this.#sleeping.end();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const seen = this.#newEvents;
      this.#work = false;
      try {
        await this.#round();
      } catch (error) {
        this.#newEvents ||= seen;
        this.#deps.logger.warn({ err: error }, 'sending webhooks failed; trying again');
        await pause(POLL_MS, [this.#stopping.signal]);
      }
      if (this.#work) await pause(ROUND_MS);
      else await this.#sleep();
    }
  }

  async #round(): Promise<void> {
    const { dispatch, claims } = this.#deps;
    if (this.#newEvents && this.#dispatchRestMs <= 0) {
      this.#newEvents = false;
      const isFull = await dispatch.run();
      this.#newEvents ||= isFull;
      this.#dispatchedAt = isFull ? -Infinity : performance.now();
    }
    await this.#settle();
    const limit = MAX_CONCURRENT_REQUESTS - this.#slots.active;
    const free = { slots: this.#slots.free(), slotsForOthers: this.#slots.slotsForOthers };
    const claimed = limit > 0 ? await claims.take({ limit, ...free }) : [];
    for (const delivery of claimed) this.#send(delivery);
    if (claimed.length > 0) this.#work = true;
    if (this.#newEvents) this.#dispatchSoon();
  }

  /** Waits for a notification or the next poll, which limits the delay after a lost notification. */
  async #sleep(): Promise<void> {
    if (!this.#work) await this.#sleeping.for(POLL_MS);
    if (!this.#work) this.#newEvents = true;
  }

  #send(delivery: ClaimedDelivery): void {
    const controller = new AbortController();
    this.#slots.enter(delivery.host);
    const sending = this.#attempt(delivery, controller.signal).then((answered) => {
      this.#slots.leave(delivery.host, answered);
      this.#sending.delete(sending);
      this.#rouse();
    });
    this.#sending.set(sending, controller);
  }

  /** Whether the receiver answered. Never rejects. */
  async #attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await this.#deps.attempts.make(delivery, signal);
      this.#results.push({ delivery, result });
      return !result.silent;
    } catch (error) {
      // Without a result the delivery is sent again after its lease expires, or released when this process stops.
      if (signal.aborted) this.#unsent.push(delivery);
      else this.#deps.logger.error({ err: error, deliveryId: delivery.id }, 'a webhook could not be sent');
      return false;
    }
  }

  /**
   * Writes the results. While the database is away they are kept for the next round, which writes those whose lease
   * still holds; other failures are retried once. The deliveries of dropped results are sent again.
   */
  async #settle(): Promise<void> {
    const results = this.#results.splice(0);
    try {
      await this.#deps.settlement.settle(results);
    } catch (error) {
      if (isConnectionLoss(error)) {
        this.#results = [...results, ...this.#results];
        throw error;
      }
      this.#deps.logger.warn({ err: error, deliveries: results.length }, 'results of webhooks could not be written');
      await pause(RETRY_SETTLE_MS);
      await this.#deps.settlement.settle(results);
    }
  }
}
