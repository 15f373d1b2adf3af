/** Reads the examples of a Markdown page: each `sh` block is a request, the block after it the documented answer. */

export type AnswerKind = 'json' | 'ndjson' | 'text';

export interface Example {
  /** Line of the page on which the `sh` block begins. */
  readonly line: number;
  readonly script: string;
  /** Undefined if the page shows no answer. */
  readonly answer: { readonly kind: AnswerKind; readonly text: string } | undefined;
}

interface Fence {
  line: number;
  language: string;
  text: string;
}

const ANSWERS: ReadonlySet<string> = new Set<AnswerKind>(['json', 'ndjson', 'text']);

function fencesOf(page: string): Fence[] {
  const fences: Fence[] = [];
  let open: Fence | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (open === undefined && fence !== null) open = { line: index + 1, language: fence[1] ?? '', text: '' };
    else if (open !== undefined && fence !== null) {
      fences.push(open);
      open = undefined;
    } else if (open !== undefined) open.text += `${line}\n`;
  }
  return fences;
}

/**
 * Returns the examples in their order. Blocks in `console` are commands for an operator and are not run. Throws if an
 * answer does not follow a request, since no test would notice when it becomes wrong.
 */
export function readExamples(page: string): Example[] {
  const examples: Example[] = [];
  let previous: Fence | undefined;
  for (const fence of fencesOf(page)) {
    if (fence.language === 'sh') {
      examples.push({ line: fence.line, script: fence.text, answer: undefined });
    } else if (ANSWERS.has(fence.language)) {
      const request = examples.pop();
      if (request === undefined || previous?.language !== 'sh') {
        throw new Error(`line ${fence.line}: an answer without a request`);
      }
      examples.push({ ...request, answer: { kind: fence.language as AnswerKind, text: fence.text } });
    }
    previous = fence;
  }
  return examples;
}
