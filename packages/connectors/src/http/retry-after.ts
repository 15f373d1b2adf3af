/** Returns the delay of a `Retry-After` header, which holds seconds or a date, in milliseconds; null without one. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
