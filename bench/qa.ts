/**
 * `npm run qa`: chat quality over the HTTP API. Each set is loaded into a collection of its own. Every question is sent
 * to a new chat, after the earlier turns of its conversation, and the citations are compared with the evidence. Sets
 * are read from `--data DIR` (default `../shared/eval/data/qa`), all or those named. A new service is started unless
 * `--url` and `--key` (the root key) name a running one; `--model '{"provider": …}'` selects the model. `--sample N
 * --seed S` takes N questions of each set, the same ones for the same seed.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SetReport } from './compare-report.ts';
import { figuresOf, overallScore, scoreAnswer, type CitedAnswer, type QuestionScore } from './qa-score.ts';
import { earlierQuestions, readQaSet, type QaQuestion, type QaSet } from './qa-sets.ts';
import { loadSet, openTarget, type Target } from './qa-target.ts';
import { inParallel } from './statistics.ts';

const here = path.dirname(fileURLToPath(import.meta.url));

interface Message {
  status: string;
  parts: { type: string; text?: string }[];
  citations: { documentId: string; snippet: string }[];
  support: { supported: boolean }[] | null;
  usage: { firstTextMs: number | null; totalMs: number; inputTokens: number; outputTokens: number } | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.join(here, '..', '..', 'shared', 'eval', 'data', 'qa') },
    url: { type: 'string' },
    key: { type: 'string' },
    model: { type: 'string' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    width: { type: 'string', default: '2' },
    out: { type: 'string' },
  },
});

/** Streams the answer, as `fetch` gives up on a response that does not begin within five minutes, then reads it. */
async function askStreaming(target: Target, chat: string, query: string): Promise<Message> {
  const response = await fetch(`${target.address}/v1${chat}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.rootKey}` },
    body: JSON.stringify({ query }),
  });
  if (!response.ok) throw new Error(`POST ${chat}/message: ${response.status} ${await response.text()}`);
  // The stream may break off, also while the model reads; the answer is stored in any case.
  await response.text().catch(() => undefined);
  for (;;) {
    const { items } = await target.request<{ items: (Message & { role: string })[] }>('GET', `${chat}/history`);
    const answer = items.filter(({ role }) => role === 'assistant').at(-1);
    if (answer !== undefined && answer.status !== 'streaming') return answer;
    await sleep(500);
  }
}

async function askOne(
  target: Target,
  ws: string,
  chat: Record<string, string>,
  question: QaQuestion,
): Promise<Message> {
  const { id } = await target.request<{ id: string }>('POST', `/w/${ws}/chat`, chat);
  const ask = (query: string): Promise<Message> => askStreaming(target, `/w/${ws}/chat/${id}`, query);
  for (const earlier of earlierQuestions(question)) await ask(earlier);
  return ask(question.question);
}

const toAnswer = (
  { status, parts, citations, support, usage }: Message,
  evalIds: Map<string, string>,
): CitedAnswer => ({
  status,
  text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  citations: citations.map(({ documentId, snippet }) => ({ evalId: evalIds.get(documentId) ?? '', snippet })),
  sentences: support?.length ?? 0,
  supported: support?.filter((sentence) => sentence.supported).length ?? 0,
  firstTextMs: usage?.firstTextMs ?? null,
  totalMs: usage?.totalMs ?? 0,
  inputTokens: usage?.inputTokens ?? 0,
  outputTokens: usage?.outputTokens ?? 0,
});

/** `keep` receives what was measured after each question, so that an interrupted run of a slow model is not lost. */
async function measure(
  target: Target,
  ws: string,
  set: QaSet,
  modelId: string | undefined,
  keep: (measured: ReturnType<typeof reportOf>) => void,
) {
  const { col, evalIds } = await loadSet(target, ws, set);
  const chat = { collection_id: col, ...(modelId === undefined ? {} : { modelId }) };
  const answers: (QuestionScore & { question: string; answer: CitedAnswer })[] = [];
  await inParallel(set.questions, Number(values.width), async (question) => {
    const answer = toAnswer(await askOne(target, ws, chat, question), evalIds);
    answers.push({ ...scoreAnswer(question, answer), question: question.question, answer });
    keep(reportOf(set, answers));
  });
  return reportOf(set, answers);
}

function reportOf(set: QaSet, answers: readonly (QuestionScore & { question: string; answer: CitedAnswer })[]) {
  const golds = new Map(set.questions.map(({ id, answers: gold }) => [id, gold]));
  const rows = answers.map((each) => ({
    id: each.id,
    score: overallScore(each),
    question: each.question,
    answer: each.answer.text,
    gold: each.answerable ? golds.get(each.id) : null,
  }));
  return { figures: figuresOf(answers), answers, rows };
}

if (!existsSync(values.data)) throw new Error(`There are no question sets at ${values.data}: name them with --data`);
const names = positionals.length > 0 ? positionals : readdirSync(values.data).toSorted();
const target = await openTarget(values.url, values.key);
const report: Record<string, SetReport & { answers: readonly unknown[] }> = {};
const file = values.out ?? path.join(here, 'results', `qa-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
mkdirSync(path.dirname(file), { recursive: true });
const writeReport = (): void => writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
try {
  const { id: ws } = await target.request<{ id: string }>('POST', '/workspaces', { name: 'qa' });
  const config: unknown = values.model === undefined ? undefined : JSON.parse(values.model);
  const model =
    config === undefined
      ? undefined
      : await target.request<{ id: string }>('POST', `/w/${ws}/config/models`, { name: 'qa', config });
  for (const name of names) {
    const set = readQaSet(path.join(values.data, name), Number(values.sample), Number(values.seed));
    if (set === undefined) {
      console.error(`${name}: left out, since it lacks docs.jsonl or qa.jsonl`);
      continue;
    }
    console.error(`${name}: ${set.documents.length} documents, ${set.questions.length} questions…`);
    const measured = await measure(target, ws, set, model?.id, (soFar) => {
      report[name] = soFar;
      writeReport();
    });
    console.log(name);
    for (const [label, value] of Object.entries(measured.figures)) console.log(`  ${label.padEnd(28)} ${value}`);
  }
} finally {
  await target.close();
}
console.log(`\n${file}`);
