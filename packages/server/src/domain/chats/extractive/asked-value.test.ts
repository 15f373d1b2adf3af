import { describe, expect, test } from 'vitest';
import { holdsAsked } from './asked-value.ts';
import { readQuestion } from './question.ts';

const holds = (question: string, text: string, language: string): boolean =>
  holdsAsked(text, readQuestion(question, language), language);

describe('what a sentence holds of the question, in German', () => {
  test.each([
    ['Wie viele Brücken hat Bonn?', 'Bonn hat eine Brücke über den Rhein.', false],
    ['Wie viele Brücken hat Bonn?', 'Bonn hat drei Brücken über den Rhein.', true],
    ['Wie viele Brücken hat Bonn?', 'Bonn hat drei Häfen.', false],
    ['Wie viele Server gibt es?', 'Es gibt vier Spiegelserver.', true],
    ['Wie lange dauert die Prüfung?', 'Die Prüfung dauert eine Woche.', true],
    ['Wie alt darf der Schlüssel sein?', 'Wer einen Schlüssel sucht, braucht einen alten.', false],
    ['Wie groß ist der See?', 'Der See liegt im Norden.', false],
    ['Wie groß ist der See?', 'Der See hat 40 Hektar.', true],
    ['Wer pflegt das Paket?', 'Das Paket liegt im Archiv, bei der bekannten Gruppe.', false],
    ['Wer pflegt das Paket?', 'Das Paket pflegt seit dem Herbst Anna Beck.', true],
    ['Warum ist der Hafen zu?', 'Der Hafen ist zu.', false],
    ['Warum ist der Hafen zu?', 'Der Hafen ist zu, weil es stürmt.', true],
    ['Wann wird das Paket verschoben?', 'Das Paket wird verschoben.', false],
    ['Wann wird das Paket verschoben?', 'Das Paket wird verschoben, sobald es geprüft ist.', true],
    ['Wo liegt die Datei?', 'Die Datei liegt darunter.', true],
  ])('%s / %s: %s', (question, text, expected) => {
    expect(holds(question, text, 'de')).toBe(expected);
  });
});

describe('what a sentence holds of the question, in French', () => {
  test.each([
    ['Combien de ponts a Lyon ?', 'Lyon a un port et une gare.', false],
    ['Combien de ponts a Lyon ?', 'Lyon a douze ponts.', true],
    ['Quelle est la longueur du pont ?', 'Le pont est en bois.', false],
    ['Quelle est la longueur du pont ?', 'Le pont mesure 40 mètres.', true],
    ['Quand part le bateau ?', 'Le bateau part dès que le vent tombe.', true],
    ['Quand part le bateau ?', 'Le bateau part du port.', false],
    ['Où sont les clés ?', 'Les clés sont dans un tiroir.', true],
  ])('%s / %s: %s', (question, text, expected) => {
    expect(holds(question, text, 'fr')).toBe(expected);
  });

  test('“combien de temps” expects a measure', () => {
    expect(readQuestion('Combien de temps dure la visite ?', 'fr').expects).toBe('measure');
  });

  test('a pronoun behind the verb is no term of the question', () => {
    expect(readQuestion('Où le bateau est-il amarré ?', 'fr').terms).not.toContain('estil');
    expect(readQuestion('Où le bateau est-il amarré ?', 'fr').expects).toBe('place');
  });
});

test('in English only the kind of value counts', () => {
  expect(holds('How many bridges has Bonn?', 'Bonn has three harbours.', 'en')).toBe(true);
  expect(holds('Why is the harbour closed?', 'The harbour is closed.', 'en')).toBe(true);
});
