import { describe, expect, test } from 'vitest';
import { searchHit } from '../../../../test/search-hit.ts';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { confidenceOf, THRESHOLD } from './answerability.ts';
import { weighEvidence, type Evidence } from './evidence.ts';
import { Likenesses } from '../../search/likeness.ts';

const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);
const { signal } = new AbortController();

const weigh = (question: string, ...texts: string[]): Promise<Evidence> =>
  weighEvidence(
    question,
    texts.map((text) => searchHit(text)),
    likenesses,
    signal,
  );
const isAnsweredBy = async (question: string, ...texts: string[]): Promise<boolean> =>
  (await weigh(question, ...texts)).confidence >= THRESHOLD;

test('chunks in another language are read only for names and numbers of the question', async () => {
  const german =
    'Die Versammlung wählt den Vorstand für zwei Jahre. Der Kassenwart berichtet über die Ausgaben des Vereins.';
  const english =
    'Travel by train is booked in second class, and flights are allowed for long journeys to Bergen only.';
  const alike = await weigh('Wer ist der Trainer der Jugend im Verein?', german, english);
  expect(alike.hits.map(({ text }) => text)).toEqual([german]);
  const named = await weigh('Wie reist man mit dem Verein nach Bergen?', german, english);
  expect(named.hits).toHaveLength(2);
});

test('an English word is not read as a near one of the texts', async () => {
  const text = 'The charges of the club for members are paid in May.';
  expect((await weigh('What was the change for members?', text)).question.terms).toContain('chang');
  expect((await weigh('What were the chagres for members?', text)).question.terms).toContain('charg');
});

test('a sentence in other words than the German question is quoted', async () => {
  const answer = 'Der Genuss alkoholischer Getränke ist untersagt.';
  const text = `Das Turnier beginnt um zehn Uhr. ${answer}\n\nJeder Spieler bringt einen Stift mit.`;
  const { selection } = await weigh('Darf man beim Turnier Bier trinken?', text);
  expect(selection.quotes[0]?.text).toBe(answer);
});

test('a number of units is sought in that dimension only', async () => {
  const lacksKind = async (text: string): Promise<boolean | undefined> =>
    (await weigh('How many kilometres long is the route?', text)).signals?.lacksKind;
  expect(await lacksKind('The route to the bridge is 12 km long.')).toBe(false);
  expect(await lacksKind('The route to the bridge is 12 hours long.')).toBe(true);
});

describe('the confidence in an answer', () => {
  test.each([
    ['Who was mayor in 1900?', 'Ann Lee was mayor in 1900.', true],
    ['In what country is Normandy located?', 'Normandy is a region in the north of France.', true],
    ['What did Herzog pay for the brewery in Bergen?', 'Ann Lee was mayor of Oslo in 1900.', false],
    ['How many judges has the court of Malta?', 'The court sits in a palace.', false],
    ['Who was mayor of Oslo in 1950?', 'Ann Lee was mayor of Oslo in 1900.', false],
    ['Who was mayor of Oslo in 1955?', 'The book of 1955 has a list. Ann Lee was mayor of Oslo in 1960.', true],
    ['Wer war 1950 Bürgermeisterin von Oslo?', 'Ann Lee war im Jahr 1900 Bürgermeisterin von Oslo.', false],
    ['Qui était maire de la ville d’Oslo en 1950 ?', 'Ann Lee était maire de la ville d’Oslo en 1900.', false],
    ['What were the net sales in 2019?', 'Item | 2023 | 2022\nNet sales | 5 | 4', false],
    ['Wie hoch war der Umsatz 2013?', '(in Mio. EUR) | 31.12.2020 | 31.12.2019\nUmsatz | 8.170 | 7.604', false],
    ['What were the net sales in 2022?', 'Item | 2023 | 2022\nNet sales | 5 | 4', true],
    ['What were the R&D costs in 2022?', 'Item | 2023 | 2022\nResearch and development | 5 | 4', true],
    ['How many kilometres long is the route?', 'The route is 12 km long and crosses the bridge.', true],
    ['How many square metres does the flat have?', 'The flat has 85 m² and lies on the third floor.', true],
    ['Wie viele Quadratmeter hat die Wohnung?', 'Die Wohnung hat 85 m² und liegt im dritten Stock.', true],
    ['Combien de mètres carrés fait le local ?', 'Le local fait 120 m2 et se trouve au rez-de-chaussée.', true],
    ['Wie viele Leute sitzen im Rat?', 'Der Rat besteht aus mindestens fünf und höchstens sieben Mitgliedern.', true],
    ['Which owls hunt fish?', 'Ann Lee was mayor in 1900.', false],
    ['What does NATO stand for?', 'NATO, from North Atlantic Treaty Organization, is an alliance.', true],
    ['Which Irish city has the oldest bridge?', 'Cork in Ireland has the oldest bridge.', true],
  ])('%s / %s: %s', async (question, text, expected) => {
    expect(await isAnsweredBy(question, text)).toBe(expected);
  });

  test('no chunks answer no question', async () => {
    expect((await weigh('Who was mayor?')).confidence).toBe(0);
  });

  test('falls with a missing name, a missing value of the expected kind, and a word without a likeness', async () => {
    const text = 'The bridge of Bergen was opened by the mayor in 1950.';
    const asked = async (question: string): Promise<number> => (await weigh(question, text)).confidence;
    const full = await asked('When was the bridge of Bergen opened?');
    expect(await asked('When was the bridge of Malmö opened?')).toBeLessThan(full);
    expect(await asked('How heavy is the bridge of Bergen?')).toBeLessThan(full);
    expect(await asked('When was the bridge of Bergen forgiven?')).toBeLessThan(full);
  });

  test('falls if the sentence only compares something with the name of the question', async () => {
    const asked = async (question: string, text: string): Promise<number> => (await weigh(question, text)).confidence;
    const compared = 'The forest of Bergen covers 900 acres, an area larger than Malmö.';
    const about = 'The forest of Malmö covers 900 acres, an area like a lake.';
    expect(await asked('How many acres of forest has Malmö?', compared)).toBeLessThan(
      await asked('How many acres of forest has Malmö?', about),
    );
    expect((await weigh('What covers an area larger than Malmö?', compared)).signals?.missingNames).toBe(0);
  });

  test('rises with each signal and stays between 0 and 1', () => {
    const signals = {
      coverage: 0,
      chunkCoverage: 0,
      lacksKind: true,
      isFirm: false,
      missingNames: 1,
      likeness: 0,
      leastLike: 0,
    };
    const best = {
      ...signals,
      coverage: 1,
      chunkCoverage: 1,
      lacksKind: false,
      isFirm: false,
      missingNames: 0,
      likeness: 1,
      leastLike: 1,
    };
    expect(confidenceOf(signals, 'en')).toBe(0);
    expect(confidenceOf(best, 'en')).toBe(0.97);
    expect(confidenceOf({ ...signals, likeness: null }, 'fr')).toBeLessThan(THRESHOLD);
    expect(confidenceOf({ ...best, likeness: null }, 'fr')).toBeGreaterThan(THRESHOLD);
  });
});

test('an unsure answer quotes the sentences of its document that answer nearly as well', async () => {
  const text = 'The owl strikes with its claws.\n\nThe owl of the tower sleeps by day.\n\nA heron is a bird.';
  const unsure = await weigh('How does the owl defend the nest?', text);
  expect(unsure.confidence).toBeLessThan(0.6);
  expect(unsure.selection.quotes.map((quote) => quote.text)).toContain('The owl strikes with its claws.');
  expect(unsure.selection.quotes.length).toBeGreaterThan(1);
});

test('the first quote of an unsure answer includes the next sentence of its paragraph', async () => {
  const [introduction, answer] = ['Das Turnier hat eine Kasse.', 'Sie wird von Herrn Lindqvist geführt.'];
  const question = 'Wer verwaltet beim Turnier das Geld?';
  const unsure = await weigh(question, `${introduction} ${answer} Es beginnt um zehn Uhr.`);
  expect(unsure.confidence).toBeLessThan(0.6);
  expect(unsure.selection.quotes[0]?.text).toBe(`${introduction} ${answer}`);
  const [quote] = (await weigh(question, `${introduction}\n\n${answer}`)).selection.quotes;
  expect([introduction, answer]).toContain(quote?.text);
});

test('an unsure answer quotes no sentence that is less alike to the question and has no term of it', async () => {
  const normans =
    'The Normans were the people who in the 10th and 11th centuries gave their name to Normandy, a region in France.';
  const others = 'Charles Eliot was president of Harvard.\n\nMr. J. R. R. Tolkien wrote The Hobbit in 1937.';
  const hit = searchHit(`${normans}\n\n${others}`, { documentName: 'normandy.md' });
  const unsure = await weighEvidence('In what country is Normandy located?', [hit], likenesses, signal);
  expect(unsure.confidence).toBeLessThan(0.6);
  expect(unsure.selection.quotes.map((quote) => quote.text)).toEqual([normans]);
});

test('an unsure answer with a value of the expected kind quotes no sentence without one', async () => {
  const text = 'The stone bridge over the wide river was opened in 1950. The stone bridge over the wide river is grey.';
  const unsure = await weigh('When did the council of Malmö forgive the builders of the stone bridge?', text);
  expect(unsure.confidence).toBeLessThan(0.6);
  expect(unsure.selection.quotes.map((quote) => quote.text)).toEqual([
    'The stone bridge over the wide river was opened in 1950.',
  ]);
  const sure = await weigh('When was the tower of Bergen opened?', `The tower of Bergen was opened in 1929. ${text}`);
  expect(sure.selection.quotes.map((quote) => quote.text)).toEqual(['The tower of Bergen was opened in 1929.']);
});

test('the value of a document that the best sentence names counts for the answer', async () => {
  const question = 'In what year was the designer of the tower of Bergen born?';
  const best = searchHit('Ann Lee is the designer of the tower of Bergen.', { documentName: 'Tower of Bergen.md' });
  const other = searchHit('Ann Lee was born in 1929.', { documentName: 'Ann Lee.md' });
  const { signals } = await weighEvidence(question, [best, other], likenesses, signal);
  expect(signals?.lacksKind).toBe(false);
});

test('chunks behind the fifth are quoted from if a document of the first ones holds them', async () => {
  const about = (documentName: string, text: string) => searchHit(text, { documentName });
  const first = Array.from({ length: 6 }, (_, at) => about(at === 0 ? 'owl.md' : `${at}.md`, `Note ${at} on mayors.`));
  const text = 'Ann Lee was mayor of Oslo in 1900.';
  const of = async (name: string) =>
    (await weighEvidence('Who was mayor of Oslo in 1900?', [...first, about(name, text)], likenesses, signal))
      .selection;
  expect((await of('owl.md')).best?.text).toBe(text);
  expect((await of('heron.md')).best?.text).not.toBe(text);
});

test.each([
  ['Who opened the tower?', 'The tower was opened in December.', true],
  ['How many owls are in the tower?', 'The tower of owls is 40 metres high.', true],
  ['How many metres high is the tower?', 'The tower is 40 metres high.', false],
])('%s / %s: lacks the expected kind: %s', async (question, text, expected) => {
  expect((await weigh(question, text)).signals?.lacksKind).toBe(expected);
});

test('labels of rows are no names for further searches', async () => {
  const text = 'Segment | 2024\nWind Turbines | 410\nGrid Service | 220\n\nClara Jensen leads the museum.';
  const { further } = await weigh('Which dividend did the museum pay?', text);
  expect(further.map(({ name }) => name)).toEqual(['Clara Jensen']);
});

test('cells that the question names need no further searches', async () => {
  const text =
    'Segment revenue | 2024 | 2025\nService | 220 | 291\nTurbines | 410 | 455\n\nClara Jensen leads the museum.';
  const { confidence, further } = await weigh('By how much did service revenue grow from 2024 to 2025?', text);
  expect(confidence).toBe(0.9);
  expect(further).toEqual([]);
});

test('German nouns are no names for further searches, names of several words are', async () => {
  const text = 'Der Aufzug wird viermal im Jahr gewartet. Die Wartung leitet Petra Wolf aus der Werkstatt.';
  const { further } = await weigh('Wann wurde die Person geboren, die den Aufzug wartet?', text);
  expect(further.map(({ name }) => name)).toEqual(['Petra Wolf']);
});

test('further searches combine a name of the best sentence with open terms of the question', async () => {
  const question = 'What government position did the woman hold who played Corliss Archer in Kiss and Tell?';
  const { further } = await weigh(question, 'The film Kiss and Tell stars Shirley Temple as Corliss Archer.');
  expect(further).toEqual([
    { name: 'Shirley Temple', query: 'Shirley Temple: government position did the woman hold who played' },
  ]);
});

describe('questions in other languages', () => {
  const rules =
    'Die Ruhezeiten gelten von 22 bis 6 Uhr. Fahrräder dürfen nicht im Treppenhaus stehen. Haustiere sind nach Absprache erlaubt.';
  const warranty =
    '本製品の保証期間は購入日から2年間です。保証の対象は製造上の欠陥に限ります。返品は30日以内に受け付けます。';
  const english = 'Employees are entitled to 28 days of paid leave. They may work from home on three days of the week.';

  test.each([
    ['Darf mein Fahrrad im Treppenhaus stehen?', true],
    ['Wie hoch ist die Kaution?', false],
    ['返品は何日以内ですか', true],
    ['社長の名前は？', false],
    ['会社の所在地はどこですか？', false],
  ])('%s: %s, in a collection of several languages', async (question, expected) => {
    expect(await isAnsweredBy(question, english, rules, warranty)).toBe(expected);
  });

  test('only the sentence that answers is quoted', async () => {
    const { selection } = await weigh('返品は何日以内ですか', warranty);
    expect(selection.quotes.map(({ text }) => text)).toEqual(['返品は30日以内に受け付けます。']);
  });
});
