/** `quire search`: hits with highlighted words, or a table of their ranks and scores. */
import type { Filter, SearchHit } from '@quire/client';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { columns, counted, printable, type Output } from '../output.ts';

export interface SearchOptions {
  collection?: string;
  mode: 'hybrid' | 'dense' | 'sparse';
  limit: number;
  offset: number;
  filter?: Filter;
  minScore?: number;
  explain?: boolean;
}

/** Length of the shown text around the first highlight, in characters. */
const SNIPPET_LENGTH = 240;

export async function search(context: Context, query: string, options: SearchOptions): Promise<void> {
  const { quire, output, profile, signal } = context;
  const { collection = profile.collection, mode, limit, offset, filter, minScore, explain } = options;
  const request = {
    query,
    mode,
    limit,
    highlight: true,
    ...(collection === undefined ? {} : { collectionIds: [(await chosenCollection(context, collection)).id] }),
    ...(offset === 0 ? {} : { offset }),
    ...(filter === undefined ? {} : { filter }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(explain === true ? { explain } : {}),
  };
  const answer = await quire.search(request, { signal });
  for (const { message } of answer.warnings) output.note(`Warning: ${message}`);
  if (output.isJson) for (const hit of answer.hits) output.record(hit, '');
  else if (answer.hits.length === 0) output.note('Nothing was found.');
  else if (explain === true) output.text(`${explanation(answer.hits, output.width)}\n`);
  else for (const [index, hit] of answer.hits.entries()) output.text(`${hitText(hit, offset + index + 1, output)}\n`);
  if (!output.isJson) output.note(`${counted(answer.hits.length, 'hit')} in ${Math.round(answer.tookMs)} ms`);
}

function hitText(hit: SearchHit, rank: number, output: Output): string {
  const [box] = hit.boxes;
  const place = [printable(hit.documentName), ...(box === undefined ? [] : [`p. ${box.page}`]), ...hit.headings];
  const title = `${rank}. ${place.map(printable).join(' › ')}`;
  return `${output.style('bold', title)}  ${output.style('dim', hit.score.toFixed(3))}\n   ${snippet(hit, output)}\n`;
}

/** Returns the text around the first highlight, with the highlights marked. */
function snippet({ text, highlights = [] }: SearchHit, output: Output): string {
  const first = highlights[0]?.[0] ?? 0;
  const from = first < SNIPPET_LENGTH / 2 ? 0 : text.lastIndexOf(' ', first - SNIPPET_LENGTH / 4) + 1;
  const to = Math.min(text.length, from + SNIPPET_LENGTH);
  let shown = from > 0 ? '…' : '';
  let at = from;
  for (const [start = 0, end = 0] of highlights) {
    if (start < at || end > to) continue;
    shown += printable(text.slice(at, start)) + output.style('yellow', printable(text.slice(start, end)));
    at = end;
  }
  return `${shown}${printable(text.slice(at, to))}${to < text.length ? '…' : ''}`.replaceAll(/\s+/gu, ' ');
}

function explanation(hits: readonly SearchHit[], width: number): string {
  const leg = (position: { rank: number; score: number } | null | undefined): string =>
    position === null || position === undefined ? '–' : `#${position.rank} ${position.score.toFixed(3)}`;
  const isCompared = hits.some(({ explain }) => explain?.likeness !== undefined);
  const rows = hits.map((hit, index) => [
    String(index + 1),
    hit.score.toFixed(3),
    leg(hit.explain?.dense),
    leg(hit.explain?.sparse),
    ...(isCompared ? [hit.explain?.likeness?.toFixed(3) ?? '–'] : []),
    printable(hit.documentName),
  ]);
  const header = ['#', 'SCORE', 'DENSE', 'SPARSE', ...(isCompared ? ['LIKENESS'] : []), 'DOCUMENT'];
  return columns([header, ...rows], width);
}

/** Reads the JSON object of an option or a file. */
export function readJson(text: string, option: string): Record<string, unknown> {
  const value = parseJson(text, option);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CommandError(`${option} must be a JSON object`, { exitCode: EXIT.usage });
}

export function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${option} is not valid JSON`, {
      exitCode: EXIT.usage,
      next: text.trim() === '' ? 'It is empty.' : 'Check quotes, commas and braces.',
    });
  }
}

/** Reads a filter; the service validates its fields and operators. */
export const readFilter = (text: string): Filter => readJson(text, '--filter') as Filter;
