import { expect, test } from 'vitest';
import { ScriptedChatModel, shownTo, type Script } from '@quire/models/testing/scripted-chat-model';
import { finishTree } from '@quire/blocks/finish-tree';
import { checkValueTask, locateTask } from '../sandbox-tasks.ts';
import { readSchema } from '../schema/read-schema.ts';
import { extractWithModel, type ModelTaskDeps } from './extract-with-model.ts';

const signal = new AbortController().signal;

const documentOf = (...texts: string[]) =>
  finishTree(
    {
      blocks: texts.map((text, at) => ({ type: 'paragraph', text, page: at + 1 })),
      pageCount: texts.length,
      title: null,
      warnings: [],
    },
    'en',
  );

function depsOf(script: Script, contextTokens = 32_000): ModelTaskDeps & { model: ScriptedChatModel } {
  return {
    model: new ScriptedChatModel(script, { contextTokens }),
    sandbox: { checkValue: (input) => checkValueTask(input), locateValues: (input) => locateTask(input) },
    onProgress: () => undefined,
  };
}

const schema = readSchema({
  type: 'object',
  properties: {
    total: { type: 'number' },
    paidOn: { type: ['string', 'null'] },
    names: { type: 'array', items: { type: 'string' } },
  },
  required: ['total'],
});

test('evidence is looked up, and a value that does not occur in the document has no quote', async () => {
  const deps = depsOf(() => ['{"total": 1234.5, "paidOn": "Tuesday", "names": ["Ada  Lovelace"]}']);
  const tree = documentOf('Paid by ADA Lovelace', 'The sum is 1,234.50 euros');
  const { result, usage } = await extractWithModel({ tree, schema, instructions: 'Names in full' }, deps, signal);
  expect(result).toEqual({
    data: { total: 1234.5, paidOn: 'Tuesday', names: ['Ada  Lovelace'] },
    evidence: {
      '/total': { page: 2, bbox: null, boxes: [], quote: '1,234.50', confidence: 0.9 },
      '/paidOn': { page: null, bbox: null, boxes: [], quote: null, confidence: 0.1 },
      '/names/0': { page: 1, bbox: null, boxes: [], quote: 'ADA Lovelace', confidence: 0.9 },
    },
  });
  expect(usage).toEqual({ inputTokens: 100, outputTokens: 10 });
  expect(shownTo(deps.model.requests[0])).toMatch(/Names in full[^]*<document-[-0-9a-f]{36}>\n\[page 1\]\nPaid by ADA/);
});

test('an answer that does not fit the schema is requested again', async () => {
  const deps = depsOf((_, call) => [call === 0 ? '{"total": "7"}' : '{"total": 7}']);
  const { result } = await extractWithModel({ tree: documentOf('7'), schema, instructions: null }, deps, signal);
  expect(result.data).toEqual({ total: 7 });
  expect(shownTo(deps.model.requests[1])).toContain('/total must be number');
});

test('a long document is read in parts: lists are joined, and the value with evidence is kept', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `Guest ${at}. ${'Some words that fill the page. '.repeat(60)}`);
  texts[5] += ' Total 42.00';
  const deps = depsOf((request) => {
    const shown = shownTo(request);
    const names = [...shown.matchAll(/Guest \d+/g)].map(([name]) => name);
    return [JSON.stringify({ total: shown.includes('42.00') ? 42 : 99, names: [...names, 'Guest 0'] })];
  }, 4_000);
  const { result } = await extractWithModel({ tree: documentOf(...texts), schema, instructions: null }, deps, signal);
  expect(deps.model.requests.length).toBeGreaterThan(2);
  expect(result.data).toMatchObject({ total: 42 });
  const { names } = result.data as { names: string[] };
  expect([...names].toSorted()).toEqual(['Guest 0', ...texts.map((_, at) => `Guest ${at}`)].toSorted());
});

test('what the parts do not give together is requested once more with the whole schema', async () => {
  const texts = Array.from({ length: 8 }, () => 'Words that fill the page. '.repeat(100));
  const deps = depsOf((request) => [shownTo(request).includes('read out of the parts') ? '{"total": 0}' : '{}'], 4_000);
  const { result } = await extractWithModel({ tree: documentOf(...texts), schema, instructions: null }, deps, signal);
  expect(result).toEqual({
    data: { total: 0 },
    evidence: { '/total': { page: null, bbox: null, boxes: [], quote: null, confidence: 0.1 } },
  });
});

test('a schema that leaves no room for the document is an error', async () => {
  const long = readSchema({ type: 'object', description: 'word '.repeat(2_000) });
  await expect(
    extractWithModel(
      { tree: documentOf('a'), schema: long, instructions: null },
      depsOf(() => [], 2_000),
      signal,
    ),
  ).rejects.toMatchObject({ name: 'ContentError', type: 'too_large' });
});
