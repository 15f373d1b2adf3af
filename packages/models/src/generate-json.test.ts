import { expect, test } from 'vitest';
import type { ChatEvent, ChatModel, ChatRequest } from './chat-model.ts';
import { generateJson, type JsonTask } from './generate-json.ts';

type Reason = Extract<ChatEvent, { type: 'end' }>['reason'];

/** Returns a model that gives the answers in turn and records the requests. */
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

test('a valid answer is the value; reasoning is ignored', async () => {
  const { model, requests } = modelOf('```json\n{"total": 7,}\n```');
  expect(await generateJson(model, task, signal)).toEqual({
    value: { total: 7 },
    usage: { inputTokens: 10, outputTokens: 2 },
  });
  expect(requests).toEqual([{ turns: task.turns, output: { name: 'total', schema: task.schema } }]);
});

test('the model gets the problems of its answer, and the usage of all attempts is counted', async () => {
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

test('a truncated answer is not repaired into one that seems complete', async () => {
  const { model } = modelOf(['{"total": 7', 'length'], ['{"total": 7', 'length'], ['{"total": 7', 'length']);
  await expect(generateJson(model, task, signal)).rejects.toMatchObject({
    type: 'provider_error',
    message: 'The answer of the model does not match the schema: the answer was cut at the limit of tokens',
  });
});

test('a filtered answer is not requested again', async () => {
  const { model, requests } = modelOf(['', 'filtered']);
  await expect(generateJson(model, task, signal)).rejects.toThrow('The provider withheld the model’s answer');
  expect(requests).toHaveLength(1);
});
