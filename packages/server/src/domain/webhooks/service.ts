/** Webhook subscriptions: URL, events and signing secret. The secret is never returned. */
import type { Kysely, Updateable } from 'kysely';
import type { Database, WebhookRecord, WebhooksTable } from '../../database/tables.ts';
import { auditResource } from '../../database/pending-audit.ts';
import { notFound, valueError } from '../../errors.ts';
import type { ListPage, ListQuery } from '../../shared/list.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { newId } from '../../shared/uuid.ts';
import { maskKey } from '../configurations/api-key.ts';
import { DeliveryRepository } from './delivery-repository.ts';
import { WebhookRepository } from './repository.ts';
import { rotated, secretPlace } from './signing-secrets.ts';
import type { NewWebhook, WebhookChanges } from './types.ts';

export interface WebhookServiceDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  /** Returns why the URL is refused; undefined if it is allowed or its host does not resolve yet. */
  refusal: (url: string) => Promise<string | undefined>;
  now: () => number;
}

const URL_FIELD = ['body', 'url'] as const;

export class WebhookService {
  readonly #deps: WebhookServiceDeps;
  readonly #webhooks: WebhookRepository;

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
    this.#webhooks = new WebhookRepository(deps.database);
  }

  async create(workspaceId: string, input: NewWebhook): Promise<WebhookRecord> {
    await this.#checkUrl(input.url);
    const id = newId();
    auditResource('webhook', id);
    const record = {
      id,
      workspace_id: workspaceId,
      name: input.name,
      url: input.url,
      host: new URL(input.url).host,
      events: [...new Set(input.events)],
      secret: this.#deps.secretBox.seal(input.signingSecret, secretPlace(id)),
      secret_hint: maskKey(input.signingSecret),
    };
    const { database } = this.#deps;
    return database.transaction().execute((transaction) => new WebhookRepository(transaction).insert(record));
  }

  findById(workspaceId: string, webhookId: string): Promise<WebhookRecord | undefined> {
    return this.#webhooks.findById(workspaceId, webhookId);
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<WebhookRecord>> {
    return this.#webhooks.list(workspaceId, query);
  }

  /** Changes a webhook. After a rotation the former secret signs too for 24 h. Pending deliveries go to a new URL. */
  async update(workspaceId: string, webhookId: string, changes: WebhookChanges): Promise<WebhookRecord> {
    if (changes.url !== undefined) await this.#checkUrl(changes.url);
    return this.#deps.database.transaction().execute(async (transaction) => {
      const webhooks = new WebhookRepository(transaction);
      const current = await webhooks.lock(workspaceId, webhookId);
      if (current === undefined) throw notFound();
      const updated = await webhooks.update(workspaceId, webhookId, this.#columns(current, changes));
      if (updated === undefined) throw notFound();
      const deliveries = new DeliveryRepository(transaction);
      if (updated.host !== current.host) await deliveries.moveHost(workspaceId, webhookId, updated.host);
      if (updated.status === 'disabled' && current.status === 'active') {
        await deliveries.cancelPending(workspaceId, webhookId, 'The webhook was disabled');
      }
      return updated;
    });
  }

  #columns(current: WebhookRecord, changes: WebhookChanges): Updateable<WebhooksTable> {
    const { name, url, events, signingSecret, status } = changes;
    const columns: Updateable<WebhooksTable> = { modified_at: new Date(this.#deps.now()) };
    if (name !== undefined) columns.name = name;
    if (url !== undefined) Object.assign(columns, { url, host: new URL(url).host });
    if (events !== undefined) columns.events = [...new Set(events)];
    if (signingSecret !== undefined) Object.assign(columns, this.#rotation(current, signingSecret));
    if (status === 'active') Object.assign(columns, { status, disabled_reason: null, failing_since: null });
    if (status === 'disabled' && current.status === 'active') {
      Object.assign(columns, { status, disabled_reason: 'Disabled by a request' });
    }
    return columns;
  }

  #rotation(current: WebhookRecord, signingSecret: string): Updateable<WebhooksTable> {
    const stored = rotated(this.#deps.secretBox, current, signingSecret, this.#deps.now());
    if (stored === undefined) return {};
    return {
      secret: stored.secret,
      previous_secrets: JSON.stringify(stored.previous_secrets),
      secret_hint: maskKey(signingSecret),
    };
  }

  /** Deletes the webhook and cancels its pending deliveries at once. */
  remove(workspaceId: string, webhookId: string): Promise<WebhookRecord> {
    return this.#deps.database.transaction().execute(async (transaction) => {
      const webhooks = new WebhookRepository(transaction);
      const record = await webhooks.lock(workspaceId, webhookId);
      if (record === undefined) throw notFound();
      await webhooks.delete(workspaceId, webhookId);
      await new DeliveryRepository(transaction).cancelPending(workspaceId, webhookId, 'The webhook was deleted');
      return record;
    });
  }

  async #checkUrl(url: string): Promise<void> {
    const refusal = await this.#deps.refusal(url);
    if (refusal !== undefined) throw valueError(URL_FIELD, refusal, url);
  }
}
