/** Stored signing secrets, sealed: the current one and those that still sign after a rotation. */
import type { PreviousSecret } from '../../database/tables.ts';
import type { SecretBox } from '../../shared/secret-box.ts';

/** Time after a rotation for which the former secret signs too, in ms. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;
/** Maximum number of former secrets; beyond it the oldest no longer signs. */
const MAX_PREVIOUS = 5;

/** Returns the place that a sealed signing secret is bound to. */
export const secretPlace = (webhookId: string): string => `webhooks/${webhookId}/signingSecret`;

export interface StoredSecrets {
  id: string;
  secret: string;
  previous_secrets: PreviousSecret[];
}

const alive = (previous: readonly PreviousSecret[], nowMs: number): PreviousSecret[] =>
  previous.filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs);

/** Returns all secrets that sign now, the newest first. */
export function openSecrets(box: SecretBox, { id, secret, previous_secrets }: StoredSecrets, nowMs: number): string[] {
  return [secret, ...alive(previous_secrets, nowMs).map((each) => each.secret)].map((sealed) =>
    box.open(sealed, secretPlace(id)),
  );
}

/** Returns the columns after a rotation; undefined if the secret is the current one. */
export function rotated(
  box: SecretBox,
  stored: StoredSecrets,
  signingSecret: string,
  nowMs: number,
): Omit<StoredSecrets, 'id'> | undefined {
  const place = secretPlace(stored.id);
  if (box.open(stored.secret, place) === signingSecret) return undefined;
  const before = { secret: stored.secret, expiresAt: new Date(nowMs + OVERLAP_MS).toISOString() };
  return {
    secret: box.seal(signingSecret, place),
    previous_secrets: [before, ...alive(stored.previous_secrets, nowMs)].slice(0, MAX_PREVIOUS),
  };
}
