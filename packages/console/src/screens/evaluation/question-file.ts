/** Questions as text: lines of JSON as `quire eval` reads them, or lines of a table with a question and a document. */
import { InvalidRequestError } from '@quire/client';
import type { Question } from '../../data/evaluation-set.ts';

/** Throws an error at the field `questions` that names the line. */
function fault(line: number, expected: string): never {
  const msg = `Line ${line}: expected ${expected}`;
  throw new InvalidRequestError(msg, {
    type: 'questions_invalid',
    detail: [{ loc: ['body', 'questions'], msg, type: 'questions_invalid' }],
  });
}

/** Reads questions; text whose first line does not begin with a brace is a table. */
export function readQuestions(text: string): Question[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const filled = lines.filter(({ line }) => line !== '');
  return filled[0]?.line.startsWith('{') === false ? readTable(filled) : filled.map(readJsonLine);
}

interface Line {
  line: string;
  number: number;
}

function readJsonLine({ line, number }: Line): Question {
  try {
    const { query, documents } = JSON.parse(line) as Partial<Question>;
    if (typeof query === 'string' && Array.isArray(documents) && documents.length > 0) return { query, documents };
  } catch {
    // The message below covers both cases.
  }
  return fault(number, '{"query": …, "documents": […]}');
}

/** Cells that a comma, a semicolon or a tab parts; a cell in double quotes may hold them. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",;\t]*))(?:[,;\t]|$)/gy;

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (const [all, quoted, plain] of line.matchAll(CELL)) {
    if (all === '') break;
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
  }
  return cells.filter((cell) => cell !== '');
}

/** Reads a question and its documents from each line; lines with the same question are joined. */
function readTable(lines: readonly Line[]): Question[] {
  const documents = new Map<string, string[]>();
  for (const { line, number } of lines) {
    const [query, ...names] = cellsOf(line);
    if (number === lines[0]?.number && query === 'query') continue;
    if (query === undefined || names.length === 0) return fault(number, 'a question, a comma, and a document');
    documents.set(query, [...(documents.get(query) ?? []), ...names]);
  }
  return [...documents].map(([query, names]) => ({ query, documents: names }));
}

export const writeQuestions = (questions: readonly Question[]): string =>
  questions.map((each) => `${JSON.stringify(each)}\n`).join('');
