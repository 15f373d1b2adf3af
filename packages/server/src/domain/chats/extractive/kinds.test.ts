import { expect, test } from 'vitest';
import { holdsAsked } from './asked-value.ts';
import { expectedKind } from './expected-kind.ts';
import { readQuestion } from './question.ts';

const holds = (question: string, text: string, language: string): boolean =>
  holdsAsked(text, readQuestion(question, language), language);

test.each([
  ['en', 'What is the fine for parking here?', 'money'],
  ['en', 'How high is the monthly fee?', 'money'],
  ['en', 'What do adults pay?', 'money'],
  ['en', 'How long is my post kept when I travel?', 'measure'],
  ['en', 'Who opens the gate when it snows?', 'person'],
  ['en', 'What was the year when the mill burned?', 'date'],
  ['en', 'How often is the well tested?', 'measure'],
  ['de', 'Wie hoch ist die Mahngebühr?', 'money'],
  ['de', 'In welchen Monaten fährt die Fähre?', 'date'],
  ['fr', 'Quel est le montant du loyer ?', 'money'],
  ['fr', 'À quelle heure part le bateau ?', 'date'],
  ['es', '¿Cuánto hay que pagar por el barco?', 'money'],
  ['es', '¿Cuánta gente vive en la isla?', 'count'],
] as const)('%s: %s expects %s', (language, question, kind) => {
  expect(expectedKind(question, language)).toBe(kind);
});

test.each([
  ['en', 'How many people use the ferry?', 'The ferry calls at twelve harbours.', false],
  ['en', 'How many people use the ferry?', 'About 900 passengers use it each day.', true],
  ['en', 'How many people use the ferry?', 'It is run by nine experienced boatmen.', true],
  ['en', 'How many people sank with the ferry?', 'It sank in the storm, and 31 drowned.', true],
  ['de', 'Wie viele Leute nutzen die Fähre?', 'Die Fähre hat sechs Rettungsboote.', false],
  ['de', 'Wie viele Leute nutzen die Fähre?', 'Sie befördert 900 Fahrgäste am Tag.', true],
  ['fr', 'Combien de gens prennent le bac ?', 'Le bac a six canots.', false],
  ['fr', 'Combien de gens prennent le bac ?', 'Il transporte 900 voyageurs par jour.', true],
  ['es', '¿Cuántas personas usan el barco?', 'El barco tiene seis botes.', false],
  ['es', '¿Cuántas personas usan el barco?', 'Lo usan 900 viajeros cada día.', true],
  ['en', 'How often does the ferry sail?', 'The ferry takes 40 minutes.', false],
  ['en', 'How often does the ferry sail?', 'The ferry sails three times a day.', true],
  ['de', 'Wie oft fährt die Fähre?', 'Die Fahrt dauert 40 Minuten.', false],
  ['de', 'Wie oft fährt die Fähre?', 'Sie fährt alle zwei Stunden.', true],
  ['fr', 'À quelle fréquence part le bac ?', 'La traversée dure 40 minutes.', false],
  ['fr', 'À quelle fréquence part le bac ?', 'Il part toutes les heures.', true],
  ['es', '¿Cada cuánto sale el barco?', 'El viaje dura 40 minutos.', false],
  ['es', '¿Cada cuánto sale el barco?', 'Sale dos veces al día.', true],
  ['en', 'In which year was the ferry built?', 'It was built by Ada Brook on a Monday in May.', false],
  ['en', 'In which year was the ferry built?', 'It was built in May 1931.', true],
  ['en', 'At what time does the ferry leave?', 'The ferry has sailed since 1931.', false],
  ['en', 'At what time does the ferry leave?', 'The ferry leaves at 8:15.', true],
  ['en', 'How tall is the mast?', 'The mast has 14 ropes.', false],
  ['en', 'How old is the captain?', 'She is fifty-four.', true],
  ['en', 'How long is the break?', 'There is a break of half an hour.', true],
  ['en', 'Who runs the ferry?', 'The ferry calls in Port Ross.', false],
  ['en', 'Who runs the ferry?', 'Timber must not be loaded.', false],
  ['en', 'Who runs the ferry?', 'The ferry is run by Ada Brook.', true],
  ['de', 'Wer betreibt die Fähre?', 'Die Fähre ist frei für Mitglieder.', false],
  ['de', 'Wer betreibt die Fähre?', 'Die Fähre betreibt die Reederei Lund.', true],
  ['en', 'What is the fine for smoking?', 'Smoking costs 50 pence.', true],
])('%s: %s / %s: %s', (language, question, text, expected) => {
  expect(holds(question, text, language)).toBe(expected);
});
