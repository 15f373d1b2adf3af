/** Maximum size of an event's content, in bytes; with its envelope it stays below 20 kB (CONTRACT section 9). */
const MAX_BYTES = 19_000;

interface Cut {
  /** Maximum length of a text, in characters; ids and timestamps are shorter than the smallest limit. */
  text: number;
  /** Maximum number of list members. */
  members: number;
}

/** Limits that are tried in order until the content fits. */
const CUTS: readonly Cut[] = [
  { text: 4000, members: 200 },
  { text: 1000, members: 100 },
  { text: 400, members: 40 },
  { text: 200, members: 20 },
  { text: 64, members: 5 },
];
const MAX_DEPTH = 8;

/** Returns content that fits unchanged; otherwise cuts its longest texts and lists and adds `truncated: true`. */
export function fitContent(content: Record<string, unknown>): Record<string, unknown> {
  if (sizeOf(content) <= MAX_BYTES) return content;
  for (const cut of CUTS) {
    const shorter = { ...(shorten(content, cut, 1) as Record<string, unknown>), truncated: true };
    if (sizeOf(shorter) <= MAX_BYTES) return shorter;
  }
  const short = Object.entries(content).filter((entry) => sizeOf(entry) <= 300);
  return { ...Object.fromEntries(short.slice(0, 50)), truncated: true };
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

function shorten(value: unknown, cut: Cut, depth: number): unknown {
  // PostgreSQL cannot store half of a surrogate pair.
  if (typeof value === 'string') return value.slice(0, cut.text).replace(/[\uD800-\uDBFF]$/, '');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, cut.members).map((member) => shorten(member, cut, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member, cut, depth + 1)]));
}
