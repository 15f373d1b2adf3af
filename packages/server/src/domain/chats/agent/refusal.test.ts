import { expect, test } from 'vitest';
import { isRefusal } from './refusal.ts';

test.each([
  'The documents do not answer this question.',
  'I cannot find this in the provided passages [2].',
  'There is no information about the height of the tower.',
  'The text doesn’t say who paid.',
  'Die Dokumente beantworten diese Frage nicht.',
  'Dazu gibt es in den Unterlagen keine Angaben.',
  'Les documents ne répondent pas à cette question.',
  'Los documentos no contienen la respuesta.',
  'I documenti non rispondono alla domanda.',
  'Os documentos não respondem a esta pergunta.',
  'De documenten beantwoorden deze vraag niet.',
  '文档没有回答这个问题。',
  'この文書には記載がありません。',
])('%s', (text) => {
  expect(isRefusal(text)).toBe(true);
});

test.each([
  'The tower is 300 m high [1].',
  'It was not built before 1894 [1].',
  'The documents are kept in the archive of the city.',
  'Der Turm ist 300 m hoch.',
  `${'The tower was painted again and again. '.repeat(12)}The documents do not say why.`,
])('no refusal: %s', (text) => {
  expect(isRefusal(text)).toBe(false);
});
