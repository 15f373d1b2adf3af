import { type Comment, parseSync } from 'oxc-parser';
import { findIdioms, type Finding, type ProseLine } from './find.ts';
import { IDIOMS, MESSAGE_IDIOMS } from './idioms.ts';

/** Maximum width of a line with a comment, in columns. */
const COMMENT_WIDTH = 120;
const TEST_FUNCTIONS = new Set(['test', 'it', 'describe']);
/** A literal with fewer words is a key, a path or a pattern. */
const MESSAGE_WORDS = 4;

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Offsets at which the lines of a file begin, to turn offsets into line numbers. */
function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Splits a comment into paragraphs at blank lines, list items and tags, and removes its markers. */
function paragraphs(first: number, comment: string): ProseLine[][] {
  const all: ProseLine[][] = [[]];
  for (const [index, raw] of comment.split('\n').entries()) {
    const text = raw.replace(/^\s*\*?\s*/, '').replace(/\s*\*?$/, '');
    const item = /^(?:[-*] |\d+\. |@\w+)/.exec(text);
    if (text === '' || item) all.push([]);
    if (text !== '') all.at(-1)?.push({ line: first + index, text: item ? text.slice(item[0].length) : text });
  }
  return all.filter((each) => each.length > 0);
}

interface Literal {
  readonly start: number;
  readonly text: string;
}

function* children(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode);
    else if (isNode(value)) yield value;
  }
}

/** Returns `test` for `test(…)`, `test.skip(…)` and `test.each(…)(…)`. */
function calledName(callee: unknown): unknown {
  if (!isNode(callee)) return undefined;
  return callee['name'] ?? calledName(callee['object'] ?? callee['callee'] ?? callee['tag']);
}

function* testNames(node: Node): Generator<Literal> {
  const { type, callee, arguments: args } = node;
  if (type === 'CallExpression' && TEST_FUNCTIONS.has(String(calledName(callee))) && Array.isArray(args)) {
    const title: unknown = args[0];
    if (isNode(title) && typeof title['value'] === 'string') yield { start: title.start, text: title['value'] };
  }
  for (const child of children(node)) yield* testNames(child);
}

function* messages(node: Node): Generator<Literal> {
  const { type, start, value, quasis } = node;
  if (type === 'Literal' && typeof value === 'string') yield { start, text: value };
  if (type === 'TemplateLiteral' && Array.isArray(quasis)) {
    const parts = quasis.map((each: { readonly value: { readonly cooked?: string } }) => each.value.cooked ?? '');
    yield { start, text: parts.join('x') };
  }
  for (const child of children(node)) yield* messages(child);
}

/** Returns the paragraphs of all comments; consecutive line comments form one. */
function commentParagraphs(comments: readonly Comment[], lineAt: (offset: number) => number): ProseLine[][] {
  const found: ProseLine[][] = [];
  let previousLine = -1;
  for (const { type, start, value } of comments) {
    const line = lineAt(start);
    if (type === 'Block') {
      found.push(...paragraphs(line, value));
    } else if (!/^\s*(?:oxlint|eslint|@ts-)/.test(value)) {
      const text = { line, text: value };
      if (previousLine === line - 1) found.at(-1)?.push(text);
      else found.push([text]);
      previousLine = line;
    }
  }
  return found;
}

/** Returns the lines with a comment that are too wide. A line that ends in an address may be. */
function wideLines(file: string, lines: readonly string[], commented: ReadonlySet<number>): Finding[] {
  return [...commented].flatMap((line) => {
    const text = lines[line - 1] ?? '';
    if (text.length <= COMMENT_WIDTH || /https?:\/\/\S+$/.test(text)) return [];
    return [{ file, line, words: `${text.length} columns`, suggestion: `at most ${COMMENT_WIDTH}` }];
  });
}

/** Checks comments, names of tests and messages of shipped code in a TypeScript or JavaScript file. */
export function checkCode(file: string, source: string): Finding[] {
  const { comments, program } = parseSync(file, source);
  const starts = lineStarts(source);
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1;
  const commented = new Set<number>();
  for (const { start, end } of comments) {
    for (let line = lineAt(start); line <= lineAt(end - 1); line += 1) commented.add(line);
  }
  const found = wideLines(file, source.split('\n'), commented);
  for (const each of commentParagraphs(comments, lineAt)) found.push(...findIdioms(file, each, IDIOMS));

  const isTest = /(?:\.test|conformance)\.ts$/.test(file);
  const isShipped = /^packages\/[^/]+\/src\/(?!.*\btesting\/)/.test(file);
  const tree = program as unknown as Node;
  for (const { start, text } of isTest ? testNames(tree) : isShipped ? messages(tree) : []) {
    if (!isTest && text.split(' ').length < MESSAGE_WORDS) continue;
    found.push(...findIdioms(file, [{ line: lineAt(start), text }], isTest ? IDIOMS : MESSAGE_IDIOMS));
  }
  return found.toSorted((one, other) => one.line - other.line);
}
