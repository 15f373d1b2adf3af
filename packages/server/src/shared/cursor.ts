/**
 * Opaque, signed list cursors. Layout: 16 bytes of HMAC-SHA256, 8 bytes of the list's hash, then the position. A cursor
 * of another list, filter, key or service is refused.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;
const SCOPE_BYTES = 8;

const mac = (payload: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

const hashScope = (scope: string): Buffer => createHash('sha256').update(scope).digest().subarray(0, SCOPE_BYTES);

/** Returns a cursor. `scope` identifies list, filters and order; `position` is the sort key of the page's last row. */
export function encodeCursor(position: string, scope: string, key: Buffer): string {
  const payload = Buffer.concat([hashScope(scope), Buffer.from(position)]);
  return Buffer.concat([mac(payload, key), payload]).toString('base64url');
}

/** Returns the position; undefined if the cursor was not made for this scope with this key. */
export function decodeCursor(cursor: string, scope: string, key: Buffer): string | undefined {
  const payload = openPayload(cursor, key);
  if (payload === undefined || !payload.subarray(0, SCOPE_BYTES).equals(hashScope(scope))) return undefined;
  return payload.subarray(SCOPE_BYTES).toString();
}

/** Returns whether the cursor was made with this key, for any list. */
export const isOurCursor = (cursor: string, key: Buffer): boolean => openPayload(cursor, key) !== undefined;

function openPayload(cursor: string, key: Buffer): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < MAC_BYTES + SCOPE_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  return timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(payload, key)) ? payload : undefined;
}
