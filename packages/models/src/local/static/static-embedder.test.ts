import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TextTooLongError } from '../../embedder.ts';
import { StaticEmbedder } from './static-embedder.ts';
import { readStaticModel } from './static-model-file.ts';

const signal = new AbortController().signal;

/** Three tokens in two dimensions: `up` (0, 2), `right` (4, 0), and the unknown token. */
function modelFile(): Buffer {
  const vocabulary = Buffer.from('[UNK]\nup\nright');
  const header = Buffer.from(
    JSON.stringify({
      modelId: 'test/1',
      tokenizer: 'bert-uncased',
      unknown: '[UNK]',
      tokens: 3,
      dimensions: 2,
      vocabularyBytes: vocabulary.length,
    }),
  );
  const start = Buffer.alloc(12);
  start.write('QSTM');
  start.writeUInt32LE(1, 4);
  start.writeUInt32LE(header.length, 8);
  const scales = Buffer.alloc(12);
  [1, 0.5, 2].forEach((scale, row) => scales.writeFloatLE(scale, row * 4));
  return Buffer.concat([start, header, scales, Buffer.from(Int8Array.of(0, 0, 0, 4, 2, 0).buffer), vocabulary]);
}

describe('readStaticModel', () => {
  it('reads what the script wrote', () => {
    const model = readStaticModel(modelFile());
    expect(model).toEqual({
      modelId: 'test/1',
      dimensions: 2,
      unknown: '[UNK]',
      vocabulary: ['[UNK]', 'up', 'right'],
      scales: Float32Array.of(1, 0.5, 2),
      matrix: Int8Array.of(0, 0, 0, 4, 2, 0),
    });
  });

  it('refuses a truncated file and one of another format', () => {
    expect(() => readStaticModel(modelFile().subarray(0, -1))).toThrow('cut short');
    expect(() => readStaticModel(Buffer.from('not a model at all'))).toThrow('not the file');
  });
});

describe('StaticEmbedder', () => {
  const embedder = new StaticEmbedder(readStaticModel(modelFile()));

  it('sums the vectors of the tokens and normalises', async () => {
    const vectors = await embedder.embedDocuments(['up', 'Up, right', 'right right up'], signal);
    const expected = [
      [0, 1],
      [4 / Math.sqrt(20), 2 / Math.sqrt(20)],
      [8 / Math.sqrt(68), 2 / Math.sqrt(68)],
    ];
    for (const [index, vector] of vectors.entries()) {
      expect(vector[0]).toBeCloseTo(expected[index]![0]!, 6);
      expect(vector[1]).toBeCloseTo(expected[index]![1]!, 6);
    }
  });

  it('returns the zero vector for a text without a known token', async () => {
    expect(await embedder.embedQuery('down', signal)).toEqual(Float32Array.of(0, 0));
    expect(await embedder.embedDocuments(['', 'left'], signal)).toEqual([Float32Array.of(0, 0), Float32Array.of(0, 0)]);
  });

  it('stops when aborted', async () => {
    const reason = new Error('stopped');
    await expect(embedder.embedDocuments(['up'], AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('refuses texts over its limit', async () => {
    await expect(embedder.embedQuery('up '.repeat(8193), signal)).rejects.toThrow(TextTooLongError);
  });
});

describe('the model that ships', () => {
  const bytes = readFileSync(new URL('../../../assets/quire-static/model.bin', import.meta.url));
  const embedder = new StaticEmbedder(readStaticModel(bytes));
  const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

  it('is at most 12 MB', () => {
    expect(bytes.length).toBeLessThanOrEqual(12_000_000);
  });

  it('ranks a paraphrase above another subject', async () => {
    const query = await embedder.embedQuery('how do I get my money back?', signal);
    const [refund, weather] = await embedder.embedDocuments(
      ['Refunds are paid to your account within a week.', 'Heavy rain is expected in the mountains tonight.'],
      signal,
    );
    expect(cosine(query, refund!)).toBeGreaterThan(cosine(query, weather!) + 0.1);
  });

  it('returns normalised vectors of 256 dimensions', async () => {
    const vector = await embedder.embedQuery('a supersonic wing', signal);
    expect(vector.length).toBe(256);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });
});

describe('the model for German, French and Spanish that ships', () => {
  const bytes = readFileSync(new URL('../../../assets/quire-static-de-fr-es/model.bin', import.meta.url));
  const embedder = new StaticEmbedder(readStaticModel(bytes));
  const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

  it('is at most 12 MB', () => {
    expect(bytes.length).toBeLessThanOrEqual(12_000_000);
  });

  it.each([
    ['Darf man Bier trinken?', 'Alkoholische Getränke sind verboten.', 'Die Figuren werden zu Beginn aufgestellt.'],
    ['Combien coûte une place ?', "Le prix du billet d'entrée est de neuf euros.", 'La façade du bâtiment est rouge.'],
    ['¿Cuánto gana un empleado?', 'El salario del trabajador es de mil euros.', 'La lluvia cae en la montaña.'],
    ['Wie hoch ist das Gehalt?', 'El salario del trabajador es de mil euros.', 'La pluie tombe sur la montagne.'],
  ])('ranks an answer in other words above another subject: %s', async (question, answer, other) => {
    const query = await embedder.embedQuery(question, signal);
    const [near, far] = await embedder.embedDocuments([answer, other], signal);
    expect(cosine(query, near!)).toBeGreaterThan(cosine(query, far!) + 0.1);
  });
});
