import { expect, test } from 'vitest';
import { analyse } from './reading.ts';
import { formsIn } from './word-forms.ts';

const relates = (language: string, asked: string, held: string): boolean => {
  const [term = ''] = analyse(asked, language);
  const forms = formsIn(asked, [held], language).get(term) ?? [];
  return forms.flat().includes(analyse(held, language)[0] ?? '');
};

test.each([
  ['en', 'wrote', 'written'],
  ['en', 'lost', 'losing'],
  ['en', 'won', 'winner'],
  ['de', 'gründete', 'Gründung'],
  ['de', 'gegründet', 'gründete'],
  ['de', 'erhöht', 'Erhöhung'],
  ['de', 'kostet', 'Kosten'],
  ['de', 'dauerte', 'Dauer'],
  ['de', 'schrieb', 'geschrieben'],
  ['de', 'leitet', 'Leiter'],
  ['de', 'angemeldet', 'Anmeldung'],
  ['de', 'startet', 'gestartet'],
  ['de', 'aufgeschrieben', 'aufschreiben'],
  ['de', 'austreten', 'Austritt'],
  ['de', 'hilft', 'Hilfe'],
  ['de', 'gewählt', 'Wahl'],
  ['fr', 'détartrer', 'détartrage'],
  ['fr', 'construit', 'construction'],
  ['es', 'murió', 'muerte'],
])('%s: %s is a form of %s', (language, asked, held) => {
  expect(relates(language, asked, held)).toBe(true);
});

test.each([
  ['en', 'founded', 'find'],
  ['en', 'wind', 'window'],
  ['de', 'Miete', 'Mitte'],
  ['de', 'vermietet', 'gemeldet'],
  ['de', 'angenommen', 'abgenommen'],
  ['de', 'Auszug', 'Umzug'],
  ['fr', 'contrat', 'contraire'],
  ['ru', 'дом', 'домик'],
])('%s: %s is no form of %s', (language, asked, held) => {
  expect(relates(language, asked, held)).toBe(false);
});
