/** Descriptions of the fields of webhooks and deliveries. */
import { field, type FieldDescription, ID, TIME } from './field.ts';

export const WEBHOOK_FIELDS: Record<string, FieldDescription> = {
  url: field('Address that receives the deliveries; https only.', 'https://hooks.example/quire'),
  events: field('Events to deliver.'),
  event: field('Event of the delivery.'),
  signingSecret: field('Secret that signs the deliveries.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  disabledReason: field('Why the webhook is disabled; null while it is active.', 'The receiver answered 410.'),
  lastDeliveryAt: field('Time of the last attempt; null before the first.', TIME),
  lastAttemptAt: field('Time of the last attempt; null before the first.', TIME),
  webhookId: field('Webhook that the delivery belongs to.', ID),
  attempts: field('Number of attempts so far.', 1),
  statusCode: field('HTTP status of the answer; null without one.', 200),
  durationMs: field('Duration of the attempt in milliseconds.', 84),
  responseBody: field('First 2 kB of the latest answer.', 'accepted'),
  at: field('Time of the attempt.', TIME),
  'Delivery.error': field('Why no answer came; null with one.', 'The receiver did not answer within 15 s.'),
  'DeliveryDetail.error': field('Why no answer came; null with one.', 'The receiver did not answer within 15 s.'),
  'history.error': field('Why no answer came; null with one.', 'The receiver did not answer within 15 s.'),
  secretHint: field('Last characters of the signing secret.', 'LaSw'),
  lastStatusCode: field('HTTP status of the latest answer.', 200),
  'Webhook.name': field('Name of the webhook.', 'Back office'),
};
