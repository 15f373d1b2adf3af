import { describe, expect, test } from 'vitest';
import { answersForm, expansionOf, formOf } from './question-form.ts';

describe('the form of a question', () => {
  test.each([
    ['What is an abacus?', 'en', { kind: 'definition', subject: ['abacu'] }],
    ['Who was Ann Lee?', 'en', { kind: 'definition', subject: ['ann', 'lee'] }],
    ['What does “abacus” mean?', 'en', { kind: 'definition', subject: ['abacu'] }],
    ['Is the abacus a machine?', 'en', { kind: 'membership', subject: ['abacu'] }],
    ['What does NATO stand for?', 'en', { kind: 'abbreviation', letters: 'NATO' }],
    ['What is UTC short for?', 'en', { kind: 'abbreviation', letters: 'UTC' }],
    ['What does TAI mean?', 'en', { kind: 'abbreviation', letters: 'TAI' }],
    ['Why was the tower built?', 'en', { kind: 'reason' }],
    ['How do owls hunt?', 'en', { kind: 'manner' }],
    ['How many owls hunt?', 'en', null],
    ['When was it built?', 'en', null],
    ['Was ist ein Abakus?', 'de', { kind: 'definition', subject: ['abakus'] }],
    ['Wofür steht DIN?', 'de', { kind: 'abbreviation', letters: 'DIN' }],
    ['Qu’est-ce qu’un abaque ?', 'fr', { kind: 'definition', subject: ['abaqu'] }],
    ['Pourquoi la tour a-t-elle été construite ?', 'fr', { kind: 'reason' }],
    ['¿Qué es un ábaco?', 'es', { kind: 'definition', subject: ['abac'] }],
    ['¿Cómo cazan los búhos?', 'es', { kind: 'manner' }],
    ['算盘是什么？', 'zh', null],
  ] as const)('%s (%s)', (question, language, form) => {
    expect(formOf(question, language)).toEqual(form);
  });
});

describe('a sentence', () => {
  test.each([
    ['What is an abacus?', 'An abacus is a frame with beads.', true],
    ['What is an abacus?', 'The abacus (also called a counting frame) is a tool.', true],
    ['What is an abacus?', 'The frame is called an abacus.', true],
    ['What is an abacus?', 'An abacus is often sold in shops.', false],
    ['What is an abacus?', 'The price of an abacus is a secret.', false],
    ['What is an abacus?', 'Those who like the abacus say that a machine is a toy.', false],
    [
      'What is the atomic number of an element?',
      'The atomic number of a chemical element is the number of protons.',
      true,
    ],
    ['What are owls?', 'Owls are birds of prey.', true],
    ['What are owls?', 'Owls are hunted by people.', false],
    ['Is ANSI an agency?', 'The American National Standards Institute (ANSI) is a private organization.', true],
    ['Is ANSI an agency?', 'Several agencies founded ANSI.', false],
    ['Why was the tower built?', 'It was built because ships ran aground.', true],
    ['Why was the tower built?', 'It was built in 1929.', false],
    ['How do owls hunt?', 'They find mice by listening.', true],
    ['How do owls hunt?', 'They hunt at night.', false],
  ])('%s / %s: %s', (question, sentence, expected) => {
    const form = formOf(question, 'en');
    expect(form !== null && answersForm(sentence, form, 'en')).toBe(expected);
  });

  test.each([
    ['Was ist ein Abakus?', 'de', 'Ein Abakus ist ein Rahmen mit Perlen.'],
    ['Qu’est-ce qu’un abaque ?', 'fr', 'Un abaque est un cadre avec des perles.'],
    ['¿Qué es un ábaco?', 'es', 'El ábaco es un marco con cuentas.'],
    ['Warum wurde der Turm gebaut?', 'de', 'Er wurde gebaut, weil Schiffe strandeten.'],
    ['Warum wurde der Turm gebaut?', 'de', 'Da Schiffe strandeten, wurde ein Turm gebaut.'],
  ])('%s (%s) is answered by: %s', (question, language, sentence) => {
    const form = formOf(question, language);
    expect(form !== null && answersForm(sentence, form, language)).toBe(true);
  });
});

describe('the words behind an abbreviation', () => {
  test.each([
    [
      'ASCII',
      'ASCII, from American Standard Code for Information Interchange, is old.',
      'American Standard Code for Information Interchange',
    ],
    ['FM', 'It sends over an FM (frequency modulation) link.', 'frequency modulation'],
    ['IR', 'Signals are sent by infra red (IR) light.', 'infra red'],
    ['TAI', 'The International Atomic Time (TAI) has no leap seconds.', 'International Atomic Time'],
    ['FM', 'The receiver is for music.', null],
    ['IR', 'In rooms, IR light is used.', null],
    ['TAI', 'TAI is a time scale.', null],
  ])('%s in: %s', (letters, sentence, expansion) => {
    const found = expansionOf(sentence, letters);
    expect(found?.text ?? null).toBe(expansion);
    if (found !== null) expect(sentence.slice(found.start, found.end)).toBe(found.text);
  });
});
