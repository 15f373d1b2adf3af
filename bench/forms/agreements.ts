/**
 * Agreements with parties, effective date, term, notice period and governing law. Each also names other companies,
 * dates and periods, as real agreements do.
 */
import { dayOf, monthName, type Form, type FormSet, type Layout } from './form.ts';
import { wrapped, type PlacedText } from './pdf-page.ts';
import type { Random } from './random.ts';

const SIZE = 10.5;
const LEFT = 72;
const TEXT_WIDTH = 440;
const PAGE_END = 770;

interface Paragraph {
  text: string;
  heading?: boolean;
  /** Indentation in points; lines in a letter's head are not wrapped. */
  x?: number;
}

/** Sets paragraphs on as many pages as they need. */
function pagesOf(paragraphs: readonly Paragraph[]): PlacedText[][] {
  const pages: PlacedText[][] = [[]];
  let y = 80;
  for (const { text, heading = false, x = LEFT } of paragraphs) {
    for (const line of wrapped(text, TEXT_WIDTH, SIZE)) {
      if (y > PAGE_END) {
        pages.push([]);
        y = 80;
      }
      pages.at(-1)?.push({ text: line, x, y, size: heading ? 12 : SIZE, bold: heading });
      y += 14;
    }
    y += 10;
  }
  return pages;
}

interface Period {
  iso: string;
  words: Readonly<Record<string, string>>;
  /** A period as contracts in English write it, with figures in brackets. */
  both: string;
}

const YEARS: readonly Period[] = [
  { iso: 'P1Y', both: 'one (1) year', words: { en: 'one year', de: 'einem Jahr', fr: 'un an', es: 'un año' } },
  { iso: 'P2Y', both: 'two (2) years', words: { en: 'two years', de: 'zwei Jahren', fr: 'deux ans', es: 'dos años' } },
  {
    iso: 'P3Y',
    both: 'three (3) years',
    words: { en: 'three years', de: 'drei Jahren', fr: 'trois ans', es: 'tres años' },
  },
  {
    iso: 'P5Y',
    both: 'five (5) years',
    words: { en: 'five years', de: 'fünf Jahren', fr: 'cinq ans', es: 'cinco años' },
  },
  {
    iso: 'P18M',
    both: 'eighteen (18) months',
    words: { en: 'eighteen months', de: '18 Monaten', fr: 'dix-huit mois', es: '18 meses' },
  },
  {
    iso: 'P25M',
    both: 'twenty-five (25) months',
    words: { en: 'twenty-five months', de: 'fünfundzwanzig Monaten', fr: 'vingt-cinq mois', es: 'veinticinco meses' },
  },
];
const NOTICES: readonly Period[] = [
  {
    iso: 'P30D',
    both: 'thirty (30) days',
    words: { en: 'thirty days', de: '30 Tagen', fr: 'trente jours', es: 'treinta días' },
  },
  {
    iso: 'P45D',
    both: 'forty-five (45) days',
    words: { en: 'forty-five days', de: '45 Tagen', fr: '45 jours', es: 'cuarenta y cinco días' },
  },
  {
    iso: 'P3M',
    both: 'three (3) months',
    words: { en: 'three months', de: 'drei Monaten', fr: 'trois mois', es: 'tres meses' },
  },
  {
    iso: 'P6M',
    both: 'six (6) months',
    words: { en: 'six months', de: 'sechs Monaten', fr: 'six mois', es: 'seis meses' },
  },
];
const word = (period: Period, language: string): string => period.words[language] ?? '';

const OTHERS = ['Kestrel Audit LLP', 'Norwood Bank plc', 'Tamarack Logistics Inc.', 'Ferris Holdings Limited'];
const LAWS = ['New York', 'California', 'Delaware', 'Ohio', 'Massachusetts', 'Texas'];
const ORDINALS: Readonly<Record<string, string>> = { P1Y: 'first', P2Y: 'second', P3Y: 'third', P5Y: 'fifth' };

const ordinal = (day: number): string => {
  const suffix =
    day % 10 === 1 && day !== 11
      ? 'st'
      : day % 10 === 2 && day !== 12
        ? 'nd'
        : day % 10 === 3 && day !== 13
          ? 'rd'
          : 'th';
  return `${day}${suffix}`;
};

const FILLER = [
  'The receiving party shall protect the information with the same care that it gives to its own, and shall disclose it only to those of its employees who need it for the purpose.',
  'No failure to exercise a right under this document operates as a waiver of it. If a provision is held to be invalid, the remaining provisions continue to apply.',
  'Notices shall be in writing and shall be deemed received five business days after posting. All fees are payable within fourteen days of the date of an invoice.',
];

/** Company and individual by and between; term and notice in sections. */
const recital: Layout = (random) => {
  const [a, b] = random.several(
    [
      'Larkfield Systems, Inc.',
      'Orsay Instruments Corp.',
      'Pell River Foods LLC',
      'Graydon Marine Ltd.',
      'Vantor Robotics, Inc.',
    ],
    2,
  );
  const second = random.chance(0.3) ? random.pick(['Helen M. Whitcombe', 'Joseph R. Adeyemi']) : (b ?? '');
  const [day, term, notice, law] = [dayOf(random), random.pick(YEARS), random.pick(NOTICES), random.pick(LAWS)];
  const date = `${monthName(day, 'en')} ${day.day}, ${day.year}`;
  return english('recital', { parties: [a ?? '', second], iso: day.iso, term, notice, law }, random, [
    { text: random.pick(['NON-DISCLOSURE AGREEMENT', 'MUTUAL CONFIDENTIALITY AGREEMENT']), heading: true },
    {
      text: `This Agreement (the “Agreement”) is entered into as of ${date} (the “Effective Date”) by and between ${a}, a Delaware corporation with its principal place of business at 411 Quarry Street, Akron, Ohio (“Discloser”), and ${second}, ${second === b ? 'a company having offices at 9 Mill Lane, Dayton' : 'an individual residing in Toledo'} (“Recipient”).`,
    },
    { text: `WHEREAS, Discloser has engaged ${random.pick(OTHERS)} in connection with a proposed transaction;` },
    { text: random.pick(FILLER) },
    {
      text: `Term. This Agreement shall remain in full force and effect for a period of ${term.both} from the Effective Date. Either party may terminate it upon ${notice.both} prior written notice.`,
    },
    { text: `For a period of twelve (12) months thereafter Recipient shall not solicit any employee of Discloser.` },
    {
      text: `This Agreement shall be governed by and construed in accordance with the laws of the State of ${law}, without regard to its conflict of laws rules.`,
    },
  ]);
};

/** A letter from one company to another. */
const letter: Layout = (random) => {
  const [a, b] = random.several(
    ['Meridian Textiles Inc.', 'Colby Freight Corporation', 'Ashgrove Energy LLC', 'Tallow Creek Bancorp, Inc.'],
    2,
  );
  const [day, term, law] = [dayOf(random), random.pick(YEARS), random.pick(LAWS)];
  const paragraphs = [
    { text: `${monthName(day, 'en')} ${day.day}, ${day.year}` },
    { text: `${b}` },
    { text: '2200 Harbor Boulevard, Suite 14' },
    { text: 'Attention: Ms. R. Delgado' },
    {
      text: `In connection with your consideration of a possible negotiated transaction with ${a} (the “Company”), you have asked for certain information. As a condition to it, you agree as follows.`,
    },
    { text: `You shall not contact ${random.pick(OTHERS)} or any other adviser of the Company.` },
    { text: random.pick(FILLER) },
    {
      text: `This letter agreement shall be governed by the laws of the State of ${law}. Your obligations under it shall terminate ${term.both.replace(/ \(\d+\)/, '')} after the date hereof.`,
    },
    { text: `Very truly yours,` },
    { text: `${a}` },
  ];
  return {
    layout: 'letter',
    pages: pagesOf(paragraphs),
    gold: { parties: [a, b], effective_date: day.iso, term: term.iso, governing_law: law },
  };
};

const german: Layout = (random) => {
  const [a, b] = random.several(['Brunnhof Maschinenbau GmbH', 'Elbtal Druck AG', 'Sonnau Immobilien KG'], 2);
  const [day, term, notice] = [dayOf(random), random.pick(YEARS), random.pick(NOTICES)];
  const paragraphs = [
    { text: 'Dienstleistungsvertrag', heading: true },
    {
      text: `zwischen der ${a}, Gartenweg 3, 01067 Dresden (nachfolgend „Auftraggeber“) und der ${b}, Am Markt 11, 04109 Leipzig (nachfolgend „Auftragnehmer“)`,
    },
    {
      text: `Der Vertrag beginnt am ${day.day}. ${monthName(day, 'de')} ${day.year} und wird auf die Dauer von ${word(term, 'de')} geschlossen.`,
    },
    {
      text: `Rechnungen sind innerhalb von vierzehn Tagen zu zahlen. Die Buchhaltung führt die Nordlicht Treuhand GmbH.`,
    },
    { text: `Er kann mit einer Frist von ${word(notice, 'de')} schriftlich gekündigt werden.` },
    { text: 'Auf diesen Vertrag findet deutsches Recht Anwendung.' },
  ];
  return agreement('german', pagesOf(paragraphs), {
    parties: [a ?? '', b ?? ''],
    iso: day.iso,
    term,
    notice,
    law: 'deutsches',
  });
};

/** Parties of the first and the second part, with a term up to an anniversary. */
const deed: Layout = (random) => {
  const [a, b] = random.several(
    ['Wexcombe Properties Limited', 'Castell & Rowe plc', 'Harrow Vale Dairy Ltd', 'Linden Square LLP'],
    2,
  );
  const tenant = random.chance(0.4) ? random.pick(['Miriam Okafor', 'Stephen J. Lowell']) : (b ?? '');
  const [day, notice] = [dayOf(random), random.pick(NOTICES)];
  const term = random.pick(YEARS.filter(({ iso }) => iso in ORDINALS));
  return english('deed', { parties: [a ?? '', tenant], iso: day.iso, term, notice, law: 'England' }, random, [
    { text: 'LEASE OF UNIT 7', heading: true },
    {
      text: `THIS LEASE is made the ${ordinal(day.day)} day of ${monthName(day, 'en')} ${day.year} BETWEEN ${a} (hereinafter called “the Landlord”) of the one part AND ${tenant} (hereinafter called “the Tenant”) of the other part.`,
    },
    { text: `The Landlord insures the premises with ${random.pick(OTHERS)} and may change the insurer.` },
    { text: random.pick(FILLER) },
    {
      text: `The tenancy shall continue until the ${ORDINALS[term.iso] ?? ''} anniversary of the date of this lease unless it is ended earlier.`,
    },
    {
      text: `The Tenant may end this lease by giving the Landlord not less than ${word(notice, 'en')}’ notice in writing.`,
    },
    { text: 'This lease is governed by and interpreted in accordance with the law of England.' },
  ]);
};

/** A sheet of key terms above the clauses. */
const keyTerms: Layout = (random) => {
  const [a, b] = random.several(
    ['Quillon Software B.V.', 'Abbott Lane Media Inc.', 'Tern Island Fisheries Ltd', 'Solway Clinics LLC'],
    2,
  );
  const [day, term, notice, law] = [dayOf(random), random.pick(YEARS), random.pick(NOTICES), random.pick(LAWS)];
  const rows: [string, string][] = [
    ['Supplier', `${a}`],
    ['Customer', `${b}`],
    ['Commencement date', `${day.day} ${monthName(day, 'en')} ${day.year}`],
    ['Initial term', word(term, 'en')],
    ['Notice period', word(notice, 'en')],
    ['Payment', 'within 30 days of invoice'],
    ['Governing law', law],
  ];
  const head = rows.flatMap(([label, value], at): PlacedText[] => [
    { text: label, x: LEFT, y: 120 + at * 20, size: SIZE, bold: true },
    { text: value, x: 240, y: 120 + at * 20, size: SIZE },
  ]);
  const [first = [], ...rest] = pagesOf(FILLER.map((text) => ({ text })));
  const below = first.map((text) => ({ ...text, y: text.y + 220 }));
  const title = { text: 'SERVICES AGREEMENT', x: LEFT, y: 84, size: 15, bold: true };
  const pages = [[title, ...head, ...below], ...rest];
  return agreement('key terms', pages, { parties: [a ?? '', b ?? ''], iso: day.iso, term, notice, law });
};

const french: Layout = (random) => {
  const [a, b] = random.several(['Ateliers Garonne SARL', 'Verreries du Lac SA', 'Transports Moreau SAS'], 2);
  const [day, term, notice] = [dayOf(random), random.pick(YEARS), random.pick(NOTICES)];
  const paragraphs = [
    { text: 'CONTRAT DE PRESTATION DE SERVICES', heading: true },
    {
      text: `Entre les soussignés : ${a}, dont le siège social est situé 4 rue des Tanneurs, 33000 Bordeaux, ci-après dénommée « le Client », et ${b}, dont le siège social est situé 12 quai Perrache, 69002 Lyon, ci-après dénommée « le Prestataire ».`.replaceAll(
        /[«»]\s?|\s?»/g,
        '"',
      ),
    },
    {
      text: `Le présent contrat entre en vigueur le ${day.day} ${monthName(day, 'fr')} ${day.year}. Il est conclu pour une durée de ${word(term, 'fr')}.`,
    },
    {
      text: 'Les factures sont payables sous quarante jours. Le Prestataire est assuré auprès de la Mutuelle Valmont SA.',
    },
    { text: `Chaque partie peut y mettre fin moyennant un préavis de ${word(notice, 'fr')}.` },
    { text: 'Le contrat est régi par le droit français.' },
  ];
  return agreement('french', pagesOf(paragraphs), {
    parties: [a ?? '', b ?? ''],
    iso: day.iso,
    term,
    notice,
    law: 'français',
  });
};

const spanish: Layout = (random) => {
  const [a, b] = random.several(['Aceites Montoro S.L.', 'Talleres Ibarra S.A.', 'Grupo Cantueso S.L.'], 2);
  const [day, term, notice] = [dayOf(random), random.pick(YEARS), random.pick(NOTICES)];
  const paragraphs = [
    { text: 'CONTRATO DE SUMINISTRO', heading: true },
    {
      text: `En Sevilla, a ${day.day} de ${monthName(day, 'es')} de ${day.year}, entre ${a}, domiciliada en la calle Feria 20, en adelante el proveedor, y ${b}, domiciliada en la avenida del Puerto 3, en adelante el cliente.`,
    },
    { text: `El presente contrato tendrá una vigencia de ${word(term, 'es')} desde su firma.` },
    { text: 'Los pagos se harán en sesenta días mediante Banco Levante S.A.' },
    { text: `Cualquiera de las partes podrá resolverlo con un preaviso de ${word(notice, 'es')}.` },
    { text: 'El contrato se regirá por la legislación española.' },
  ];
  return agreement('spanish', pagesOf(paragraphs), {
    parties: [a ?? '', b ?? ''],
    iso: day.iso,
    term,
    notice,
    law: 'española',
  });
};

interface Terms {
  parties: string[];
  iso: string;
  term: Period;
  notice: Period;
  law: string;
}

function agreement(layout: string, pages: PlacedText[][], { parties, iso, term, notice, law }: Terms): Form {
  const gold = { parties, effective_date: iso, term: term.iso, notice_period: notice.iso, governing_law: law };
  return { layout, pages, gold };
}

function english(layout: string, terms: Terms, random: Random, paragraphs: Paragraph[]): Form {
  const [title, opening, ...rest] = paragraphs;
  const clauses = rest.map(({ text }, at) => ({ text: `${at + 1}. ${text}` }));
  const signatures = terms.parties.flatMap((name) => [{ text: name }, { text: 'By: ____________________' }]);
  const all = [title, opening].flatMap((one) => one ?? []);
  return agreement(layout, pagesOf([...all, ...(random.chance(0.5) ? clauses : rest), ...signatures]), terms);
}

export const agreements: FormSet = {
  name: 'agreements',
  schema: {
    type: 'object',
    properties: {
      parties: { type: 'array', items: { type: 'string' }, description: 'The parties to the agreement' },
      effective_date: { type: 'string', format: 'date', description: 'Date from which the agreement applies' },
      term: { type: 'string', format: 'duration', description: 'How long the agreement runs' },
      notice_period: { type: 'string', format: 'duration', description: 'Notice needed to end the agreement' },
      governing_law: { type: 'string', description: 'State or country whose law applies' },
    },
  },
  layouts: { tuning: [recital, letter, german], checking: [deed, keyTerms, french, spanish] },
};
