import { expect, test } from 'vitest';
import type { ChatEvent, ChatModel, ChatRequest } from './chat-model.ts';
import { generateJson, type JsonTask } from './generate-json.ts';

type Reason = Extract<ChatEvent, { type: 'end' }>['reason'];

/** Answers in turn; remembers what it was asked. */
function modelOf(...answers: (string | [string, Reason])[]) {
  const requests: ChatRequest[] = [];
  const model: ChatModel = {
    modelId: 'scripted',
    contextTokens: 1000,
    callsTools: false,
    tokenCounter: { count: (text) => text.length },
    async *stream(request) {
      const answer = answers[requests.length] ?? '';
      requests.push(request);
      const [text, reason] = typeof answer === 'string' ? [answer, 'stop' as const] : answer;
      yield { type: 'reasoning', text: '{"not": "this"}' };
      yield { type: 'text', text: text.slice(0, 3) };
      yield { type: 'text', text: text.slice(3) };
      yield { type: 'end', reason, usage: { inputTokens: 10, outputTokens: 2 } };
    },
  };
  return { model, requests };
}

const task: JsonTask = {
  turns: [{ role: 'user', text: 'What is the total?' }],
  schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  name: 'total',
  check: (value) => (typeof (value as { total?: unknown })?.total === 'number' ? [] : ['total: a number is required']),
};
const signal = new AbortController().signal;

test('a fitting answer is the value; reasoning is not read', async () => {
  const { model, requests } = modelOf('```json\n{"total": 7,}\n```');
  expect(await generateJson(model, task, signal)).toEqual({
    value: { total: 7 },
    usage: { inputTokens: 10, outputTokens: 2 },
  });
  expect(requests).toEqual([{ turns: task.turns, output: { name: 'total', schema: task.schema } }]);
});

test('what is wrong is told to the model, and all tries are counted', async () => {
  const { model, requests } = modelOf('{"total": "seven"}', 'Seven.', '{"total": 7}');
  expect(await generateJson(model, task, signal)).toEqual({
    value: { total: 7 },
    usage: { inputTokens: 30, outputTokens: 6 },
  });
  const shown = requests.map(({ turns }) => turns.slice(1).map(({ text }) => text.split('\n').slice(0, 2)));
  expect(shown).toEqual([
    [],
    [['{"total": "seven"}'], ['This does not fit:', '- total: a number is required']],
    [['Seven.'], ['This does not fit:', '- the answer is not JSON']],
  ]);
});

test('an answer that was cut is not repaired into one that looks complete', async () => {
  const { model } = modelOf(['{"total": 7', 'length'], ['{"total": 7', 'length'], ['{"total": 7', 'length']);
  await expect(generateJson(model, task, signal)).rejects.toMatchObject({
    type: 'provider_error',
    message: 'The model did not answer what the schema asks for: the answer was cut at the limit of tokens',
  });
});

test('an answer that was withheld is not asked for again', async () => {
  const { model, requests } = modelOf(['', 'filtered']);
  await expect(generateJson(model, task, signal)).rejects.toThrow('The provider withheld the model’s answer');
  expect(requests).toHaveLength(1);
});
