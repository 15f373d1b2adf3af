/** Reads the JSON in a model's text: the whole text, a code fence, or between words. Small mistakes are repaired. */
import { jsonrepair } from 'jsonrepair';

const FENCE = /```[a-z0-9]*[ \t]*\r?\n([\s\S]*?)```/gi;

/** Returns undefined if there is no JSON. A string, number or literal counts only if it is the whole text. */
export function readJson(text: string): { value: unknown } | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const candidates = [...fenced(text), ...embedded(text)];
  return firstOf(candidates, parsed) ?? firstOf(candidates, repaired);
}

function firstOf(
  candidates: readonly string[],
  read: (text: string) => { value: unknown } | undefined,
): { value: unknown } | undefined {
  for (const candidate of candidates) {
    const found = read(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Repairs trailing commas, single quotes, comments and missing brackets. Prose must not reach it, as it would become a
 * string.
 */
function repaired(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns code fences, the last one first: models reason before they answer. */
const fenced = (text: string): string[] => [...text.matchAll(FENCE)].map(([, inside = '']) => inside).toReversed();

/** Returns the text from the first opening bracket to the last closing one, or to the end if that is missing. */
function embedded(text: string): string[] {
  const start = text.search(/[[{]/);
  if (start < 0) return [];
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return end > start ? [text.slice(start, end + 1), text.slice(start)] : [text.slice(start)];
}
