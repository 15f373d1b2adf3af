import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalRerankers } from './local-rerankers.ts';
import { GraphWriter } from './onnx/graph-writer.ts';
import { tinyTokenizer } from './testing/tiny-model.ts';

const signal = new AbortController().signal;
let directory: string;
let rerankers: LocalRerankers;

/** Writes a model whose score is the sum of the token ids of the second text and its end, less ten. */
async function writeReranker(name: string): Promise<void> {
  const graph = new GraphWriter();
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((each) =>
    graph.input(each, 'int64', ['texts', 'tokens']),
  );
  const [ids = '', mask = '', types = ''] = inputs;
  const second = graph.node('Mul', [graph.node('Mul', [ids, types]), mask]);
  const sum = graph.node('ReduceSum', [graph.node('Cast', [second], { attributes: { to: 1 } }), graph.integers([1])]);
  graph.rename(graph.node('Sub', [sum, graph.floats(Float32Array.of(10))]), 'logits');
  graph.output('logits', 'float', ['texts', 1]);
  const folder = path.join(directory, name);
  await mkdir(folder);
  await writeFile(path.join(folder, 'model.onnx'), graph.finish());
  await writeFile(path.join(folder, 'tokenizer.json'), JSON.stringify(tinyTokenizer()));
  await writeFile(
    path.join(folder, 'config.json'),
    JSON.stringify({ model_type: 'bert', max_position_embeddings: 32, pad_token_id: 0 }),
  );
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-reranker-'));
  await writeReranker('tiny');
  rerankers = new LocalRerankers(directory);
});
afterAll(async () => {
  await rerankers.close();
  await rm(directory, { recursive: true });
});

describe('LocalRerankers', () => {
  it('scores each text with the query before it, in the order of the texts', async () => {
    const reranker = await rerankers.open('tiny');
    const scores = await reranker!.score('flow', ['a', 'wing flow', 'b'], signal);
    // 4 + 3 - 10, 6 + 7 + 3 - 10 and 5 + 3 - 10
    expect(scores.map((score) => Math.round(Math.log(score / (1 - score))))).toEqual([-3, 6, -2]);
  });

  it('cuts long texts and long queries at the limit of the model', async () => {
    const reranker = await rerankers.open('tiny');
    const [score = 0] = await reranker!.score('a '.repeat(100), ['a '.repeat(100)], signal);
    expect(score).toBe(1);
  });

  it.each(['missing', '../tiny', '', '.'])('finds no model named “%s”', async (name) => {
    expect(await rerankers.open(name)).toBeUndefined();
  });
});
