/** Makes delivery attempts: the event's payload, signed with every current secret. */
import type { Logger } from '../../logger.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import type { AttemptResult, WebhookSender } from '../../webhooks/sender.ts';
import { bodyOf } from './body.ts';
import { openSecrets } from './signing-secrets.ts';
import type { ClaimedDelivery } from './types.ts';

export interface DeliveryAttemptsDeps {
  sender: WebhookSender;
  secretBox: SecretBox;
  now: () => number;
  logger: Logger;
  observe: (outcome: 'delivered' | 'refused' | 'unanswered', seconds: number) => void;
}

export class DeliveryAttempts {
  readonly #deps: DeliveryAttemptsDeps;

  constructor(deps: DeliveryAttemptsDeps) {
    this.#deps = deps;
  }

  /** Resolves with the result, also of a failure; rejects only if the signal is aborted. */
  async make(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptResult> {
    const { now, sender } = this.#deps;
    const secrets = this.#secrets(delivery);
    if (secrets === undefined) return unsigned(new Date(now()));
    const message = { id: delivery.event_id, url: delivery.url, body: bodyOf(delivery), secrets };
    const result = await sender.send(message, signal);
    const outcome = result.error === null ? 'delivered' : result.statusCode === null ? 'unanswered' : 'refused';
    this.#deps.observe(outcome, result.durationMs / 1000);
    return result;
  }

  /** Returns the secrets; undefined if they were sealed with another secret key. */
  #secrets({ webhook_id: id, secret, previous_secrets }: ClaimedDelivery): string[] | undefined {
    try {
      return openSecrets(this.#deps.secretBox, { id, secret, previous_secrets }, this.#deps.now());
    } catch (error) {
      this.#deps.logger.error({ err: error, webhookId: id }, 'a signing secret cannot be decrypted');
      return undefined;
    }
  }
}

const unsigned = (at: Date): AttemptResult => ({
  at,
  durationMs: 0,
  statusCode: null,
  error: 'The stored signing secret cannot be decrypted with this secret key: set it again',
  responseBody: null,
  retryAfterMs: null,
  silent: false,
});
