import { expect, test } from 'vitest';
import { descriptionIn } from './description.ts';

test.each([
  [
    'en',
    'Who directed the film in which Free Bird plays while Jenny sleeps?',
    'film in which Free Bird plays while Jenny sleeps',
    'Who directed N?',
  ],
  ['en', 'When did the painter of Girl with a Red Hat die?', 'painter of Girl with a Red Hat', 'When did N die?'],
  [
    'en',
    'In which year was the album that contains The Motto released?',
    'album that contains The Motto',
    'In which year was N released?',
  ],
  [
    'en',
    'Who produced the lead single of the album that also contains Blue Lake?',
    'album that also contains Blue Lake',
    'Who produced the lead single of N?',
  ],
  [
    'en',
    'Who wrote the song released as the lead single of Night Train?',
    'song released as the lead single of Night Train',
    'Who wrote N?',
  ],
  [
    'en',
    'Who baked the bread of the island that Ann Lee left?',
    'island that Ann Lee left',
    'Who baked the bread of N?',
  ],
  [
    'en',
    'The size of which town annoyed the founder of Red Hat Radio?',
    'founder of Red Hat Radio',
    'The size of which town annoyed N?',
  ],
  [
    'en',
    'Which instrument did the man who wrote the score for Holm’s drama play?',
    'man who wrote the score for Holm’s drama',
    'Which instrument did N play?',
  ],
  [
    'en',
    'When was the album released that shares its name with Red Hat?',
    'album that shares its name with Red Hat',
    'When was N released?',
  ],
  [
    'de',
    'In welcher Stadt wurde der Maler von Der Schrei geboren?',
    'Maler von Der Schrei',
    'In welcher Stadt wurde N geboren?',
  ],
  ['de', 'Wer gründete die Firma, deren Werk in Emden steht?', 'Firma, deren Werk in Emden steht', 'Wer gründete N?'],
  ['fr', 'Où est né le peintre de La Joconde ?', 'peintre de La Joconde', 'Où est né N?'],
  [
    'en',
    'How many people work for the supplier of the paper cups?',
    'supplier of the paper cups',
    'How many people work for N?',
  ],
  [
    'en',
    'Which room does the project manager of Bluefin have?',
    'project manager of Bluefin',
    'Which room does N have?',
  ],
  [
    'en',
    'Who is the partner in charge at the auditors of the mill?',
    'auditors of the mill',
    'Who is the partner in charge at N?',
  ],
  [
    'de',
    'Wie viele Menschen beschäftigt der Lieferant der Becher?',
    'Lieferant der Becher',
    'Wie viele Menschen beschäftigt N?',
  ],
  [
    'fr',
    'Où le responsable de la laiterie a-t-il appris son métier ?',
    'responsable de la laiterie',
    'Où N a-t-il appris son métier?',
  ],
  ['fr', "Qui dirige l'entreprise qui livre le lait ?", 'entreprise qui livre le lait', 'Qui dirige N?'],
  [
    'es',
    '¿Cuántos camiones tiene el proveedor del contrato 19?',
    'proveedor del contrato 19',
    '¿Cuántos camiones tiene N?',
  ],
  ['en', 'Who is the supplier of the paper cups?', null, null],
  ['en', 'Who is the painter of The Scream?', null, null],
  ['en', 'How many birds live in the park?', null, null],
  ['en', 'What did the king do that made people angry?', null, null],
  ['ja', '東京はどこですか', null, null],
] as const)('%s: %s', (language, question, text, about) => {
  const description = descriptionIn(question, language);
  expect(description?.text ?? null).toBe(text);
  expect(description?.about('N') ?? null).toBe(about);
});
