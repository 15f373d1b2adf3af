import { expect, test } from 'vitest';
import { readingsOf } from './follow-up.ts';

const BEFORE = 'How much did a card cost in 2018?';
const FRIST = 'Wie hoch ist die Kaution?';
const BAIL = 'Quel est le loyer de l’appartement ?';
const RENTA = '¿Cuál es el precio del alquiler?';
const ZU = '房租是多少？';

test.each([
  ['and in 2019?', BEFORE, ['How much did a card cost in 2019?']],
  ['What about 2020', BEFORE, ['How much did a card cost in 2020?']],
  ['Who sold it?', BEFORE, [`${BEFORE} Who sold it?`]],
  ['and for companies?', BEFORE, [`${BEFORE} and for companies?`]],
  ['Why?', BEFORE, [`${BEFORE} Why?`]],
  ['Who designed it?', 'When was the Eiffel Tower built?', ['Who designed Eiffel Tower?']],
  ['und für Firmen?', FRIST, [`${FRIST} und für Firmen?`]],
  ['Warum?', FRIST, [`${FRIST} Warum?`]],
  ['Wer zahlt sie?', FRIST, [`${FRIST} Wer zahlt sie?`]],
  ['et pour les entreprises ?', BAIL, [`${BAIL} et pour les entreprises ?`]],
  ['Pourquoi ?', BAIL, [`${BAIL} Pourquoi ?`]],
  ['¿y para empresas?', RENTA, [`${RENTA} ¿y para empresas?`]],
  ['¿Por qué?', RENTA, [`${RENTA} ¿Por qué?`]],
  ['那公司呢？', ZU, [`${ZU} 那公司呢？`]],
  ['为什么？', ZU, [`${ZU} 为什么？`]],
])('“%s” after “%s” refers back', async (question, previous, queries) => {
  expect(await readingsOf(question, previous)).toEqual(queries);
  expect(await readingsOf(question, undefined)).toEqual([question]);
});

test.each([
  ['Which birds hunt mice at night in winter?', BEFORE],
  ['What is the capital of Norway?', BEFORE],
  ['When does the contract that we signed end?', BEFORE],
  ['And who designed the lighthouse of Bergen?', BEFORE],
  ['How long is the notice period?', BEFORE],
  ['Wie lang ist die Kündigungsfrist?', BEFORE],
  ['Wie lang ist die Kündigungsfrist?', FRIST],
  ['Wer haftet für Schäden im Treppenhaus?', FRIST],
  ['Quelle est la durée du préavis ?', BAIL],
  ['Quelle est la durée du préavis ?', BEFORE],
  ['¿Cuál es el plazo de preaviso?', RENTA],
  ['¿Cuál es el plazo de preaviso?', BEFORE],
  ['合同的通知期限是多久？', ZU],
  ['合同的通知期限是多久？', BEFORE],
])('“%s” after “%s” is complete', async (question, previous) => {
  expect(await readingsOf(question, previous)).toEqual([question]);
});

test.each([
  ['When the bridge was built, who paid for it?', BEFORE],
  ['Is it allowed to park bicycles in the yard?', BEFORE],
  ['card for companies', BEFORE],
])('“%s” after “%s” has both readings', async (question, previous) => {
  expect(await readingsOf(question, previous)).toEqual([question, `${previous} ${question}`]);
});

test('another name ends the context of a pronoun', async () => {
  const question = 'Did Bob Ray sell it to the museum in Bergen?';
  expect(await readingsOf(question, 'When was the house of Ann Lee built?')).toEqual([question]);
});

test('another year replaces the year of a query with exactly one year', async () => {
  const twoYears = 'What changed from 2016 to 2018?';
  expect(await readingsOf('and in 2019?', twoYears)).toEqual([`${twoYears} and in 2019?`]);
  expect(await readingsOf('and in 2019?', 'What changed?')).toEqual(['What changed? and in 2019?']);
});

test('a question of ten thousand spaces around a year is read in linear time', async () => {
  const padding = ' '.repeat(4_990);
  await readingsOf(`${padding}2019${padding}x`, BEFORE);
  expect(await readingsOf(`${padding}and in 2019?${padding}`, BEFORE)).toEqual(['How much did a card cost in 2019?']);
});
