/**
 * Chunks in serialised groups: this process reads them one by one and answers requests in between. The 10,000 chunks of
 * a file of 1 MB would block it for a tenth of a second, on a busy machine for seconds.
 */
import { deserialize, serialize } from 'node:v8';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import type { AnalysedChunk } from './sandbox-client.ts';

const CHUNKS_PER_GROUP = 200;

export function packChunks(chunks: readonly AnalysedChunk[]): Uint8Array[] {
  const groups: Uint8Array[] = [];
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_GROUP) {
    groups.push(serialize(chunks.slice(at, at + CHUNKS_PER_GROUP)));
  }
  return groups;
}

export async function unpackChunks(groups: readonly Uint8Array[], signal: AbortSignal): Promise<AnalysedChunk[]> {
  const turns = new EventLoopTurns(signal);
  const chunks: AnalysedChunk[] = [];
  for (const group of groups) {
    for (const chunk of deserialize(group) as AnalysedChunk[]) chunks.push(chunk);
    await turns.pass();
  }
  return chunks;
}
