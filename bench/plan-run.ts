/** Answers questions with the extractive engine in this process, over searches of a service. */
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import type { AnswerRequest, Draft, DraftContent } from '../packages/server/src/domain/chats/answer-engine.ts';
import { weighEvidence } from '../packages/server/src/domain/chats/extractive/evidence.ts';
import { ExtractiveEngine } from '../packages/server/src/domain/chats/extractive/extractive-engine.ts';
import { Likenesses } from '../packages/server/src/domain/search/likeness.ts';
import type { SearchHit } from '../packages/server/src/domain/search/types.ts';
import type { Target } from './qa-target.ts';

const HITS = 10;
const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);
const { signal } = new AbortController();

/** The cost of an answer in this process, which weighs evidence. Searches run in the service. */
export interface Cost {
  wallMs: number;
  cpuMs: number;
  searches: number;
  /** Number of times that searches began after an earlier one had ended, plus one. */
  rounds: number;
}

export interface Planned extends Cost {
  content: DraftContent;
  queries: string[];
}

/** A collection of a service. */
export interface Collection {
  target: Target;
  ws: string;
  col: string;
}

async function search({ target, ws, col }: Collection, query: string, limit: number): Promise<SearchHit[]> {
  const body = { query, limit, explain: true };
  const { hits } = await target.request<{ hits: SearchHit[] }>('POST', `/w/${ws}/col/${col}/search`, body);
  // The API does not return the title; that of these documents is their first heading.
  return hits.map((hit) => ({ ...hit, documentTitle: hit.headings[0] ?? null }));
}

/** Measures `work` in wall time and processor time of this process. */
async function timed<T>(work: () => Promise<T>): Promise<{ value: T; wallMs: number; cpuMs: number }> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { value, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

/** Answers by the plan. */
export async function answerPlanned(collection: Collection, question: string): Promise<Planned> {
  const queries: string[] = [];
  let [rounds, pending] = [0, 0];
  const retrieve: AnswerRequest['retrieve'] = async (query, limit) => {
    queries.push(query);
    if (pending === 0) rounds += 1;
    pending += 1;
    try {
      return { hits: await search(collection, query, limit), denseModelId: null };
    } finally {
      pending -= 1;
    }
  };
  const content: DraftContent = { parts: [], citations: [], confidence: null };
  const draft: Draft = { write: async (change) => change(content) };
  const request = { question, instructions: null, earlier: [], retrieve, signal };
  const { wallMs, cpuMs } = await timed(() => new ExtractiveEngine(likenesses).answer(request, draft));
  return { content, queries, wallMs, cpuMs, searches: queries.length, rounds };
}

/** Searches once and weighs the hits: what an answer costs without a plan. */
export async function answerOnce(collection: Collection, question: string): Promise<Cost> {
  const weigh = async (): Promise<void> => {
    await weighEvidence(question, await search(collection, question, HITS), likenesses, signal);
  };
  const { wallMs, cpuMs } = await timed(weigh);
  return { wallMs, cpuMs, searches: 1, rounds: 1 };
}
