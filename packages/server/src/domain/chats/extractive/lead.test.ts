import { expect, test } from 'vitest';
import { leadOf } from './lead.ts';
import { readQuestion } from './question.ts';
import { selectQuotes } from './select.ts';

function leadFor(question: string, text: string, language: string | null = 'en'): string | undefined {
  const asked = readQuestion(question, language);
  const { best } = selectQuotes(asked, [{ text, headings: [], titles: ['note'] }], language);
  const lead = best === undefined ? null : leadOf(best, asked, language);
  if (lead !== null) expect(best?.text.slice(lead.start, lead.end)).toBe(lead.text);
  return lead?.text;
}

test.each([
  ['When was the tower opened?', 'The tower was opened on 16 May 1929.', '16 May 1929'],
  ['How long did the ceremony run?', 'The ceremony ran for 15 minutes.', '15 minutes'],
  ['How much did the ticket cost?', 'A ticket to the ceremony cost $5.', '$5'],
  ['Who designed the tower?', 'The tower was designed by Ann Lee.', 'Ann Lee'],
  ['How many steps has the tower?', 'Built in 1929, the tower has 270 steps.', '270'],
  ['How much cargo was in the harbour?', 'The cargo of the harbour was 2 million in the year before.', '2 million'],
  ['When was Ann Lee born?', 'Ann Lee (born 3 May 1929) is a retired builder of towers.', '3 May 1929'],
  ['When was the harbour battle?', 'The harbour battle (1929) was lost.', '1929'],
  ['How many people live in the tower?', 'Of 40 rooms in the tower 12 people live in three.', '12'],
  ['How much does the bell of the tower weigh?', 'The bell of the tower is 2 m high and weighs 900 kg.', '900 kg'],
])('%s is led by %s: %s', (question, text, lead) => {
  expect(leadFor(question, text)).toBe(lead);
});

test.each([
  ['Who designed the tower?', 'The tower was designed by Ann Lee for Bob Ray.'],
  ['Why was the tower built?', 'The tower was built in 1929 by Ann Lee.'],
  ['How many steps has the tower?', 'The tower has many steps.'],
  ['How many steps has the tower?', 'The steps of the tower are on page 21 of the book.'],
  ['How long did the war last?', 'The war was fought by two nations.'],
  ['When did Ann Lee retire?', 'Ann Lee (born 3 May 1929) is a retired builder of towers.'],
  ['Who won the battle?', 'The battle was fought between Fort Edward and Fort William Henry.'],
  ['Who is Ann Lee married to?', 'She married an Armenian woman.'],
  ['When did King Louis take the throne?', 'King Louis of France is named in 1672.'],
  ['At what temperature does the alloy melt?', 'The alloy and the metal melt at 40 and 70 °C.'],
  ['How long does the ceremony last?', 'The ceremony lasts for 10 to 15 minutes.'],
  ['When were the towers opened?', 'The towers were opened in 1904 and 1911.'],
  ['When were the towers open?', 'The towers were open from the early 1990s to the mid-2000s.'],
  ['How many guests had the tower in 1914?', 'The tower had 270 guests in 2014.'],
  ['When did Ann Lee start to paint?', 'He started to paint in 1929.'],
  ['Where did the harbour begin?', 'The harbour began a century ago, according to Zhang.'],
  ['Who devised the term Tower Hill?', 'The terms Tower Hill and Harbour Hill were devised by a clerk.'],
  ['Who invented the unit?', 'When SI units are used, the unit is the second.'],
  ['Which town has a tower?', 'Ann Lee said that the town has a tower.'],
  ['What is the price of a card?', 'Card | Price\nAdults | $5'],
])('%s has no lead in: %s', (question, text) => {
  expect(leadFor(question, text)).toBeUndefined();
});

test('values are found in other languages', () => {
  expect(leadFor('Wie lang ist die Kündigungsfrist?', 'Die Kündigungsfrist beträgt drei Monate.', 'de')).toBe(
    'drei Monate',
  );
  expect(leadFor('Quand la tour a-t-elle été construite ?', 'La tour a été construite le 3 mai 1929.', 'fr')).toBe(
    '3 mai 1929',
  );
});

test.each([
  ['Wer hat das Werkzeug geschrieben?', 'Mit dem Werkzeug können Sie Pakete schreiben.', 'de'],
  ['Wer hat die Parameter dokumentiert?', 'Die Parameter dokumentiert man für Peripheriegeräte.', 'de'],
  ['Wohin sendet man Vorschläge?', 'Bei der Entscheidung über Vorschläge hilft man.', 'de'],
  ['Qui maintient le paquet aardvark ?', 'Supposons que le paquet aardvark est maintenu.', 'fr'],
  ['Qui a écrit le paquet tar ?', "[7] L'option du paquet tar est écrite.", 'fr'],
  ['Who invented algorithms?', 'Pseudocode describes invented algorithms.', 'en'],
  ['¿Cuándo se construyó el faro?', 'Desde 1992 ocupa el faro, que se levantó en 1874.', 'es'],
])('%s has no lead: %s', (question, text, language) => {
  expect(leadFor(question, text, language)).toBeUndefined();
});

test.each([
  ['Wer baute den Turm?', 'Der Turm wurde von Anna Lee gebaut.', 'de', 'Anna Lee'],
  ['Qui a construit la tour ?', 'La tour a été construite par Lee.', 'fr', 'Lee'],
  ['Qui fonda la société ?', "La société fut fondée par L'Oréal.", 'fr', "L'Oréal"],
])('%s is led in its language: %s', (question, text, language, lead) => {
  expect(leadFor(question, text, language)).toBe(lead);
});
