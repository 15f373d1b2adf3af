/** The parts of a file that its parser could not read (CONTRACT section 4, `warnings`). */
export const WARNING_TYPES = [
  /** Text in a script that none of the OCR languages covers. */
  'ocr_language_missing',
  /** Text that OCR recognised with little certainty. */
  'low_confidence',
  /** Pages that show something, but from which no text was read. */
  'pages_without_text',
  /** Content that was left out: beyond a limit, hidden or missing. */
  'truncated',
  /** Content that was read as plain text, or by another parser, instead of with its structure. */
  'simplified',
] as const;
export type WarningType = (typeof WARNING_TYPES)[number];

export interface ContentWarning {
  type: WarningType;
  /** A sentence for the user, without paths and secrets. */
  message: string;
  /** Page numbers from 1, ascending; empty if the warning concerns the whole file or a file without pages. */
  pages: number[];
}

/** Maximum number of warnings of a file. */
const MAX_WARNINGS = 30;

export const contentWarning = (type: WarningType, message: string, pages: readonly number[] = []): ContentWarning => ({
  type,
  message,
  pages: [...pages],
});

/** Joins the pages of warnings with the same type and message, and keeps at most 30 warnings. */
export function mergeWarnings(warnings: readonly ContentWarning[]): ContentWarning[] {
  const merged = new Map<string, { warning: ContentWarning; pages: Set<number> }>();
  for (const warning of warnings) {
    const key = `${warning.type} ${warning.message}`;
    const same = merged.get(key) ?? { warning, pages: new Set() };
    for (const page of warning.pages) same.pages.add(page);
    merged.set(key, same);
  }
  return [...merged.values()]
    .slice(0, MAX_WARNINGS)
    .map(({ warning, pages }) => ({ ...warning, pages: [...pages].toSorted((a, b) => a - b) }));
}
