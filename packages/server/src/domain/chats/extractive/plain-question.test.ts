import { expect, test } from 'vitest';
import { plainQuestion } from './plain-question.ts';

test.each([
  ['Can you tell me when the tower was built?', 'When the tower was built?'],
  ['Hello, could you please explain what a lease is?', 'What a lease is?'],
  ['Please tell me who built it.', 'Who built it.'],
  ['I would like to know: how high is the tower?', 'How high is the tower?'],
  ['Hi! Who built the tower?', 'Who built the tower?'],
  ['Who built the tower? Thanks in advance!', 'Who built the tower?'],
  ['Wer baute den Turm, bitte?', 'Wer baute den Turm'],
  ['Hallo! Kannst du mir bitte sagen, wer den Turm baute?', 'Wer den Turm baute?'],
  ['Ich möchte wissen: Wer baute den Turm?', 'Wer baute den Turm?'],
  ['Pouvez-vous me dire qui a construit la tour ?', 'Qui a construit la tour ?'],
  ['¿Puede decirme quién construyó la torre?', 'Quién construyó la torre?'],
  ['WHO BUILT THE TOWER?', 'who built the tower?'],
])('%s → %s', (text, plain) => {
  expect(plainQuestion(text)).toBe(plain);
});

test.each([
  'Who built the tower?',
  'Can you keep a dog in the flat?',
  'Do you know?',
  'Tell me more.',
  'Hello, Oslo',
  'Hi Ann, Bob and Eve were here?',
  'Could the tenant please the landlord?',
])('leaves %s', (text) => {
  expect(plainQuestion(text)).toBe(text);
});
