/**
 * `quire eval`: measures search with questions and their right documents. Each line of the file is
 * `{ "query": …, "documents": [name or id, …] }`; in place of a string, a document may be `{ "document", "grade" }`.
 */
import { readFile } from 'node:fs/promises';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { columns, counted } from '../output.ts';
import { ndcg, percentile, recall, reciprocalRank } from './eval-measures.ts';

export interface EvalOptions {
  collection?: string;
  mode: 'hybrid' | 'dense' | 'sparse';
  minNdcg?: number;
}

interface Question {
  query: string;
  /** Grades by name or id of the document. */
  grades: ReadonlyMap<string, number>;
}

interface Score {
  query: string;
  ndcg: number;
  recall: number;
  reciprocalRank: number;
  tookMs: number;
}

/** Number of hits that are judged. */
const DEPTH = 10;
const RECALL_DEPTH = 100;

export async function evaluate(context: Context, file: string, options: EvalOptions): Promise<ExitCode> {
  const questions = readQuestions(await readFile(file, 'utf8'), file);
  const { id } = await chosenCollection(context, options.collection);
  const scores: Score[] = [];
  for (const question of questions) {
    const score = await judge(context, id, question, options.mode);
    scores.push(score);
    if (context.output.isJson) context.output.record(score, '');
    context.output.progress(`${scores.length}/${questions.length} questions`);
  }
  const summary = summaryOf(scores);
  if (context.output.isJson) context.output.record({ summary }, '');
  else context.output.text(`${report(scores, summary, context.output.width)}\n`);
  if (options.minNdcg === undefined || summary.ndcg >= options.minNdcg) return EXIT.ok;
  context.output.note(`nDCG@${DEPTH} ${summary.ndcg.toFixed(3)} is below ${options.minNdcg}.`);
  return EXIT.partial;
}

async function judge(
  { quire, signal }: Context,
  collectionId: string,
  { query, grades }: Question,
  mode: EvalOptions['mode'],
): Promise<Score> {
  const answer = await quire.collection(collectionId).search({ query, mode, limit: RECALL_DEPTH }, { signal });
  const seen = new Set<string>();
  const ranked: number[] = [];
  for (const { documentId, documentName } of answer.hits) {
    // Several chunks of one document count once.
    if (seen.has(documentId)) continue;
    seen.add(documentId);
    ranked.push(grades.get(documentId) ?? grades.get(documentName) ?? 0);
  }
  const all = [...grades.values()];
  return {
    query,
    ndcg: ndcg(ranked.slice(0, DEPTH), all),
    recall: recall(ranked, all),
    reciprocalRank: reciprocalRank(ranked.slice(0, DEPTH)),
    tookMs: answer.tookMs,
  };
}

function summaryOf(scores: readonly Score[]) {
  const mean = (value: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + value(score), 0) / scores.length;
  const times = scores.map(({ tookMs }) => tookMs);
  return {
    questions: scores.length,
    ndcg: mean((score) => score.ndcg),
    recall: mean((score) => score.recall),
    mrr: mean((score) => score.reciprocalRank),
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  };
}

function report(scores: readonly Score[], summary: ReturnType<typeof summaryOf>, width: number): string {
  const worst = scores.filter((score) => score.ndcg < 1).toSorted((a, b) => a.ndcg - b.ndcg);
  const rows = worst.slice(0, DEPTH).map((score) => [score.ndcg.toFixed(3), score.query]);
  const { questions, ndcg: quality, recall: found, mrr, p50Ms, p95Ms } = summary;
  const lines = [
    `${counted(questions, 'question')}: nDCG@${DEPTH} ${quality.toFixed(3)}, recall@${RECALL_DEPTH} ${found.toFixed(3)}, ` +
      `MRR ${mrr.toFixed(3)}, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
  ];
  if (rows.length > 0) lines.push('', columns([['NDCG', 'WORST QUESTIONS'], ...rows], width));
  return lines.join('\n');
}

/** Throws a usage error that names the line. */
export function readQuestions(text: string, file: string): Question[] {
  const found = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const grades = new Map<string, number>();
    const place = `${file}, line ${index + 1}`;
    const { query, documents } = parseLine(line, place);
    for (const each of documents) {
      if (typeof each === 'string') grades.set(each, 1);
      else if (typeof each?.document === 'string' && isGrade(each.grade)) grades.set(each.document, each.grade ?? 1);
      else
        throw new CommandError(`${place}: a document is a name, an id or { document, grade }, with a grade from 0 on`, {
          exitCode: EXIT.usage,
        });
    }
    return [{ query, grades }];
  });
  if (found.length === 0) throw new CommandError(`${file} holds no question`, { exitCode: EXIT.usage });
  return found;
}

const isGrade = (grade: unknown): grade is number | undefined =>
  grade === undefined || (typeof grade === 'number' && grade >= 0);

type Judged = string | { document?: string; grade?: number } | null;

function parseLine(line: string, place: string): { query: string; documents: Judged[] } {
  try {
    const { query, documents } = JSON.parse(line) as { query?: unknown; documents?: unknown };
    if (typeof query === 'string' && Array.isArray(documents) && documents.length > 0) return { query, documents };
  } catch {
    // The message below covers both cases.
  }
  throw new CommandError(`${place}: expected {"query": …, "documents": […]}`, { exitCode: EXIT.usage });
}
