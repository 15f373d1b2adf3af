/** The JSON in what a model wrote: whole, in a code fence, or between words; small mistakes are repaired. */
import { jsonrepair } from 'jsonrepair';

const FENCE = /```[a-z0-9]*[ \t]*\r?\n([\s\S]*?)```/gi;

/** Undefined when there is none. A string, number or literal counts only when it is all of the text. */
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

/** Trailing commas, single quotes, comments, missing brackets. Prose would be "repaired" into a string: not here. */
function repaired(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    return typeof value === 'object' && value !== null ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** The last fence first: models think aloud before they answer. */
const fenced = (text: string): string[] => [...text.matchAll(FENCE)].map(([, inside = '']) => inside).toReversed();

/** From the first opening bracket to the last closing one, or to the end when that is missing. */
function embedded(text: string): string[] {
  const start = text.search(/[[{]/);
  if (start < 0) return [];
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return end > start ? [text.slice(start, end + 1), text.slice(start)] : [text.slice(start)];
}
