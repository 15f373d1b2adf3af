import { describe, expect, test } from 'vitest';
import { quotables } from './quotables.ts';
import { countsAsked, holdsExpected } from './new-values.ts';
import { readQuestion } from './question.ts';
import { selectQuotes } from './select.ts';

const chunk = (text: string, headings: string[] = [], title = 'note') => ({ text, headings, titles: [title] });

const select = (question: string, ...texts: string[]) =>
  selectQuotes(
    readQuestion(question, 'en'),
    texts.map((text) => chunk(text)),
    'en',
  ).quotes.map((quote) => quote.text);

describe('quotable units', () => {
  test('are sentences without surrounding white space, verbatim at their offsets', () => {
    const text = 'The owl hunts.  It is night.\n\nMice hide.';
    const found = quotables(text);
    expect(found.map((each) => each.text)).toEqual(['The owl hunts.', 'It is night.', 'Mice hide.']);
    expect(found.map((each) => text.slice(each.start, each.end))).toEqual(found.map((each) => each.text));
  });

  test('are whole table rows with their header, but not the header', () => {
    expect(quotables('Birds are here. All of them.\nName | Wings\nOwl. Big one | 2\nKiwi | 0\nDone.')).toMatchObject([
      { text: 'Birds are here.', header: null },
      { text: 'All of them.', header: null },
      { text: 'Owl. Big one | 2', header: 'Name | Wings' },
      { text: 'Kiwi | 0', header: 'Name | Wings' },
      { text: 'Done.', header: null },
    ]);
  });
});

test('a table behind a blank line has a header of its own', () => {
  const text = 'Sales | 2024\nOwls | 3\n\nCosts | 2024\nFood | 2';
  expect(quotables(text)).toMatchObject([
    { text: 'Owls | 3', header: 'Sales | 2024' },
    { text: 'Food | 2', header: 'Costs | 2024' },
  ]);
});

describe('a question', () => {
  test.each([
    ['How many owls are there?', 'en', 'count'],
    ['How tall is the tower?', 'en', 'measure'],
    ['How much did the tower cost?', 'en', 'money'],
    ['When does it open?', 'en', 'date'],
    ['In which year was it built?', 'en', 'date'],
    ['Who wrote it?', 'en', 'person'],
    ['In which city was it built?', 'en', 'place'],
    ['Is the tower open?', 'en', 'yesNo'],
    ['Why do owls hunt at night?', 'en', null],
    ['Wie lang ist die Kündigungsfrist?', 'de', 'measure'],
    ['Wann wurde der Turm gebaut?', 'de', 'date'],
    ['What is the maximum weight of the bell?', 'en', 'measure'],
    ['Was ist das Gewicht der Glocke?', 'de', 'measure'],
    ['Quelle est la capacité du réservoir ?', 'fr', 'measure'],
    ['¿Cuál es el peso de la campana?', 'es', 'measure'],
    ['Combien d’employés a la société ?', 'fr', 'count'],
    ['¿Quién firmó el contrato?', 'es', 'person'],
    ['合同什么时候到期？', 'zh', 'date'],
  ] as const)('%s (%s) expects %s', (text, language, kind) => {
    expect(readQuestion(text, language).expects).toBe(kind);
  });

  test('names and numbers are distinguished from other words', () => {
    expect(readQuestion('Did the Owl of Athens see 12 mice?', 'en').names).toEqual(['owl', 'athen', '12']);
  });

  test.each([
    ['How many were there?', 'There were 12.', true],
    ['How many were there?', 'There were some, in 1912.', false],
    ['How many of the 12 left?', 'Of the 12 some left.', false],
    ['How long did it take?', 'It took 40 minutes.', true],
    ['How long did it take?', 'It took some people.', false],
    ['How much did it cost?', 'It cost $1,200.50.', true],
    ['When does it close?', 'It closes on Sundays in May.', true],
    ['Who saw it?', 'It was seen by Ann.', true],
    ['Who saw it?', 'It was seen in the reeds.', false],
    ['Where was it seen?', 'It was seen in Bergen.', true],
    ['Which country borders it?', 'It is bordered by Norway.', true],
    ['Which country borders it?', 'Exclusion continued for years.', false],
    ['How much does it weigh?', 'It is 11 m long.', false],
    ['How much does it weigh?', 'It weighs 11 kg.', true],
    ['How tall is it?', 'It costs $11.', false],
    ['How tall is it?', 'It grows to 165.', true],
    ['How long does it live?', 'It has a tail of 40 cm.', false],
    ['How long does it live?', 'It lives for 23 years.', true],
  ] as const)('%s is answered by a value in “%s”: %s', (question, sentence, holds) => {
    expect(holdsExpected(sentence, readQuestion(question, 'en'), 'en')).toBe(holds);
  });
});

describe('the choice of quotes', () => {
  test('takes the sentence that covers the question, not sentences on other topics', () => {
    const quotes = select('What does the heron wait for?', 'The heron waits for a trout.', 'The owl hunts mice.');
    expect(quotes).toEqual(['The heron waits for a trout.']);
  });

  test.each([
    [
      'What is an owl?',
      'Those who like an owl say that a mouse is food. An owl is a bird of prey.',
      'An owl is a bird of prey.',
    ],
    ['Is the owl a bat?', 'The owl hunts where the bat hunts. The owl is a bird.', 'The owl is a bird.'],
    [
      'What does BTO stand for?',
      'BTO counts owls. British Trust for Ornithology (BTO) was founded later.',
      'British Trust for Ornithology (BTO) was founded later.',
    ],
    [
      'Why do owls hunt at night?',
      'Owls hunt at night in woods. They hunt at night because mice come out.',
      'They hunt at night because mice come out.',
    ],
  ])('answers %s with the sentence that is built for it', (question, text, expected) => {
    expect(select(question, text)[0]).toBe(expected);
  });

  test('takes a rival from another chunk of the document, and none from another document', () => {
    const rival = 'The heron waits in the reeds of the lake.';
    const quotesOf = (title: string): string[] =>
      selectQuotes(
        readQuestion('Where does the heron wait?', 'en'),
        [chunk('The heron waits in the harbour.', [], 'Birds'), chunk(rival, [], title)],
        'en',
      ).quotes.map(({ text }) => text);
    expect(quotesOf('Birds')).toContain(rival);
    expect(quotesOf('Lakes')).not.toContain(rival);
  });

  test('takes none if the chunks share no word with the question', () => {
    expect(select('Who invented the locomotive?', 'Steam rises from the kettle.')).toEqual([]);
    expect(select('Anything?')).toEqual([]);
    expect(select('???', 'The owl hunts mice.')).toEqual([]);
  });

  test('takes a rival of the best sentence only while the answer stays short', () => {
    const sentence = (number: number, repeats: number): string =>
      `The heron number ${number} waits in the reeds${' and waits'.repeat(repeats)}.`;
    const text = (repeats: number): string => Array.from({ length: 9 }, (_, at) => sentence(at, repeats)).join(' ');
    expect(select('Where does the heron wait?', text(0))).toHaveLength(4);
    expect(select('Where does the heron wait?', text(15))).toHaveLength(1);
  });

  test('takes the best sentence first, and then what answers the rest of the question', () => {
    const text = 'Tickets cost six euros for children. It was built in 1890. The tower opened in 1890 in Oslo.';
    expect(select('When did the tower in Oslo open and what do tickets cost?', text)).toEqual([
      'The tower opened in 1890 in Oslo.',
      'Tickets cost six euros for children.',
    ]);
  });

  test('takes no sentence of another chunk that shares only a side of the question', () => {
    const chunks = [
      chunk('The name Tar Heel comes from the pine forests of Carolina.', ['Tar Heel']),
      chunk('They come to a full stop where the name of the road is shown.', ['Traffic']),
    ];
    const { quotes } = selectQuotes(readQuestion('Where did the name Tar Heel come from?', 'en'), chunks, 'en');
    expect(quotes.map((quote) => quote.chunk)).toEqual([0]);
  });

  test('takes quotes for both things in a question, also from a low-ranked chunk', () => {
    const fill = Array.from({ length: 6 }, (_, at) => chunk(`Ann Lee met a director in town ${at}.`, [`Town ${at}`]));
    const chunks = [
      chunk('Ann Lee is a director from Norway. She likes Ann Lee films.', ['Ann Lee']),
      ...fill,
      chunk('Bob Ray is an actor. He was born in Norway.', ['Bob Ray']),
    ];
    const { quotes } = selectQuotes(readQuestion('Are Ann Lee and Bob Ray from one country?', 'en'), chunks, 'en');
    expect(new Set(quotes.map((quote) => quote.chunk))).toContain(7);
  });

  test('counts the terms of headings', () => {
    const hours = chunk('Open from nine to five.', ['City library', 'Opening hours']);
    const fees = chunk('Ten cents a day.', ['City library', 'Fees']);
    const { quotes } = selectQuotes(readQuestion('When is the city library open?', 'en'), [fees, hours], 'en');
    expect(quotes[0]?.text).toBe('Open from nine to five.');
  });
});

test('a consequence is quoted behind the reason for it', () => {
  const text = 'Owls are shy. Mice are awake at night. Therefore many owls hunt at night. Owls have big eyes.';
  expect(select('Why do many owls hunt at night?', text).slice(0, 2)).toEqual([
    'Mice are awake at night.',
    'Therefore many owls hunt at night.',
  ]);
});

test('a sentence that refers to the one before answers about its subject', () => {
  const text = 'Old towns have bridges of stone. The Ibar is a river. It had four bridges. Bridges are built of stone.';
  expect(select('Which bridges did the Ibar have?', text)[0]).toBe('It had four bridges.');
});

test.each([
  ['It was rejected by twelve publishers.', true],
  ['It had twelve well-known German publishers.', true],
  ['In twelve years, the publishers earned nothing.', false],
  ['One of the publishers rejected it.', false],
  ['The publishers rejected it.', false],
])('%s counts publishers: %s', (text, counts) => {
  expect(countsAsked(text, readQuestion('How many publishers were there?', 'en'), 'en')).toBe(counts);
});

test.each([
  ['When must the tenant pay?', 'en', 'The tenant pays within 14 working days.', true],
  ['When does the shop open?', 'en', 'The shop opens at eight.', true],
  ['When was the book refused?', 'en', 'The book was refused by twelve publishers.', false],
  ['Wann muss man zahlen?', 'de', 'Die Rechnung ist innerhalb von zwei Wochen zu zahlen.', true],
  ['When did Ann Lee retire?', 'en', 'Ann Lee (born 2 May 1950) retired early.', false],
  ['When was Ann Lee born?', 'en', 'Ann Lee (born 2 May 1950) retired early.', true],
  ['How long does the battery last?', 'en', 'It runs for 4-5 hours.', true],
  ['How much does parking cost?', 'en', 'Bike parking is free.', true],
  ['How much does parking cost?', 'en', 'The square is free of cars.', false],
  ['Was kostet der Eintritt?', 'de', 'Der Eintritt ist für Kinder kostenlos.', true],
  ['Combien coûte l’entrée ?', 'fr', 'L’entrée est gratuite.', true],
] as const)('%s (%s): %s → %s', (question, language, text, holds) => {
  expect(holdsExpected(text, readQuestion(question, language), language)).toBe(holds);
});

test('a title is quoted only if nothing else answers', () => {
  const titled = (text: string) =>
    selectQuotes(
      readQuestion('Who keeps the minutes of the club?', 'en'),
      [chunk(text, [], 'Minutes of the club')],
      'en',
    ).quotes.map((quote) => quote.text);
  expect(titled('Minutes of the club\n\nThe minutes are kept by Ann Lee.')).toEqual([
    'The minutes are kept by Ann Lee.',
  ]);
  expect(titled('Minutes of the club')).toEqual(['Minutes of the club']);
});

test('a clause of time answers “wann” as well as a date', () => {
  const question = readQuestion('Wann ist die Versammlung beschlussfähig?', 'de');
  const text =
    'Bis spätestens eine Woche vor der Versammlung gehen Anträge ein. ' +
    'Die Versammlung ist beschlussfähig, wenn die Hälfte der Mitglieder da ist.';
  const { quotes } = selectQuotes(question, [chunk(text)], 'de');
  expect(quotes[0]?.text).toContain('Hälfte');
});

test('a German genitive is no place', () => {
  const question = readQuestion('Wo ist das Relief zu sehen?', 'de');
  expect(holdsExpected('Man sieht das Relief, weil der Stil der Figuren gefällt.', question, 'de')).toBe(false);
  expect(holdsExpected('Man sieht das Relief in der Villa Farnese.', question, 'de')).toBe(true);
});
