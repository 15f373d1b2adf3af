import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { EVENT_TYPES } from '../../../domain/events/outbox.ts';
import { DELIVERED_EVENTS, DELIVERY_STATUSES } from '../../../domain/webhooks/types.ts';
import { isSigningSecret } from '../../../webhooks/signature.ts';
import { id, nullableTimestamp, timestamp } from '../../schemas/common.ts';
import { choice, dateTime, field, optional, text, uuid } from '../../../validation/fields.ts';
import { valueProblem, type Parsed } from '../../../validation/problem.ts';
import { parseText } from '../../../validation/text.ts';
import { parseUrl } from '../../../validation/url.ts';

const SECRET_LENGTH = { min: 16, max: INPUT_LIMITS.signingSecret.max };

function parseSecret(value: unknown): Parsed<string> {
  const parsed = parseText(value, SECRET_LENGTH);
  if ('problem' in parsed || isSigningSecret(parsed.value)) return parsed;
  return valueProblem('what follows whsec_ is not base64');
}

function parseReceiver(value: unknown): Parsed<string> {
  const parsed = parseUrl(value, ['https']);
  if ('problem' in parsed) return parsed;
  const { username, password } = new URL(parsed.value);
  return username === '' && password === '' ? parsed : valueProblem('credentials in URLs are not allowed');
}

const name = text({ min: 1, max: INPUT_LIMITS.name.max });
const url = field(parseReceiver, { type: 'string', format: 'uri', pattern: '^https:' });
const signingSecret = field(parseSecret, {
  type: 'string',
  minLength: SECRET_LENGTH.min,
  maxLength: SECRET_LENGTH.max,
  writeOnly: true,
  description:
    'Secret that signs the deliveries: base64 after the prefix `whsec_` (Standard Webhooks), or any other text as it is',
});
const events = z
  .array(choice(...EVENT_TYPES))
  .min(1)
  .max(EVENT_TYPES.length * 4);

export const webhookBody = z.strictObject({ name, url, signingSecret, events });

export const webhookChanges = z.strictObject({
  name: optional(name),
  url: optional(url),
  signingSecret: optional(signingSecret),
  events: optional(events),
  status: optional(choice('active', 'disabled')),
});

export const deliveryListQuery = z.object({
  status: optional(choice(...DELIVERY_STATUSES)),
  event: optional(choice(...DELIVERED_EVENTS)),
});

export const redeliveryBody = z
  .strictObject({
    webhookId: optional(uuid().describe('Webhook whose deliveries are sent again; without it, all active webhooks')),
    event: optional(choice(...EVENT_TYPES).describe('Event whose deliveries are sent again; without it, all events')),
    since: optional(
      dateTime().describe('Earliest time of creation of a delivery that is sent again; without it, any time'),
    ),
  })
  .nullish();

export const webhookShape = z
  .object({
    id,
    workspaceId: id,
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    status: z.enum(['active', 'disabled']),
    disabledReason: z.string().nullable(),
    secretHint: z.string().describe('Last characters of the signing secret'),
    createdAt: timestamp,
    modifiedAt: timestamp,
    lastDeliveryAt: nullableTimestamp,
    lastStatusCode: z.int().nullable().describe('HTTP status of the latest answer; null without one'),
  })
  .meta({ id: 'Webhook' });

const attemptShape = z.object({
  at: timestamp,
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.int(),
});

export const deliveryShape = z
  .object({
    id,
    workspaceId: id,
    webhookId: id,
    event: z.enum(DELIVERED_EVENTS),
    eventId: id.describe('Identifier of the event: the `webhook-id` of every attempt and the `id` of the payload'),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    nextAttemptAt: nullableTimestamp.describe('Time of the next attempt; null during an attempt and after the last'),
    statusCode: z.int().nullable().describe('HTTP status of the latest answer; null without one'),
    error: z.string().nullable(),
    responseBody: z.string().nullable().describe('First 2 kB of the latest answer'),
    durationMs: z.int().nullable(),
    history: z.array(attemptShape).describe('The latest 20 attempts, oldest first'),
    createdAt: timestamp,
    lastAttemptAt: nullableTimestamp,
    finishedAt: nullableTimestamp,
  })
  .meta({ id: 'Delivery' });

export const deliveryDetailShape = deliveryShape
  .extend({
    body: z
      .string()
      .describe('The body of every attempt, byte for byte: the text that the signatures cover')
      .meta({
        examples: [
          '{"id":"0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e","type":"document.ready","createdAt":"2026-05-04T09:30:00.000Z",' +
            '"workspaceId":"0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4f","data":{"documentId":"0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d50"}}',
        ],
      }),
  })
  .meta({ id: 'DeliveryDetail' });

export const redeliveryShape = z
  .object({
    redelivered: z
      .int()
      .describe('Number of failed deliveries that are sent again')
      .meta({ examples: [12] }),
  })
  .meta({ id: 'RedeliveryResult' });
