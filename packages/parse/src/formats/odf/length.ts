const POINTS: Readonly<Record<string, number>> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1, pc: 12, px: 0.75 };

/** Converts a length such as `2.5cm` to points. */
export function lengthInPoints(length: string | undefined): number | undefined {
  const match = /^\s*(-?[\d.]+)\s*(cm|mm|in|pt|pc|px)\s*$/.exec(length ?? '');
  const value = Number(match?.[1]);
  return match && Number.isFinite(value) ? value * (POINTS[match[2] ?? ''] ?? 1) : undefined;
}
