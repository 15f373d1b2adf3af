import { expect, test } from 'vitest';
import type { BlockDraft } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readSchema } from '../../schema/read-schema.ts';
import { extractTree } from '../extract-tree.ts';

const SCHEMA = readSchema({
  type: 'object',
  properties: {
    parties: { type: 'array', items: { type: 'string' } },
    effectiveDate: { type: 'string', format: 'date' },
    term: { type: 'string', description: 'Duration of the agreement' },
    governingLaw: { type: 'string' },
  },
});

function read(language: string, ...texts: string[]): unknown {
  const blocks = texts.map((text): BlockDraft => ({ type: 'paragraph', text, page: 1 }));
  return extractTree(finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language), SCHEMA).data;
}

test('full stops of initials and legal forms do not end the list of parties', () => {
  expect(
    read(
      'en',
      'THIS LEASE is made this 14th day of July, 2019, between Maria T. Gonzales ("Landlord") and Quartz Pte. Ltd. ("Tenant").',
      'The term of this Lease shall be twelve (12) months.',
      'This Lease is governed by the laws of California.',
    ),
  ).toEqual({
    parties: ['Maria T. Gonzales', 'Quartz Pte. Ltd.'],
    effectiveDate: '2019-07-14',
    term: '12 months',
    governingLaw: 'California',
  });
});

test('small words of other languages are part of the names of parties', () => {
  expect(
    read(
      'en',
      'THIS AGREEMENT is made on 3 May 2024 between Molinos del Segre S.A. ("Seller") and Officine della Torre Spa ("Buyer").',
    ),
  ).toMatchObject({ parties: ['Molinos del Segre S.A.', 'Officine della Torre Spa'] });
});

test('parties on lines of their own are found', () => {
  expect(
    read(
      'en',
      'THIS AGREEMENT dated 12 January 2022',
      'BETWEEN',
      '(1) HARTWELL ENGINEERING LIMITED, a company registered in England (company number 01234567); and',
      '(2) DELPHI SENSORS GMBH, whose registered office is at Hauptstr. 5, Munich.',
      'This Agreement shall be governed by English law.',
    ),
  ).toEqual({
    parties: ['HARTWELL ENGINEERING LIMITED', 'DELPHI SENSORS GMBH'],
    effectiveDate: '2022-01-12',
    governingLaw: 'English',
  });
});

test.each([
  [
    'places within the description of a party',
    'This Agreement is made by and between Ferrow Corporation a Delaware corporation (“Ferrow”), with offices at 4 Mill Lane, Harbour Park, New Jersey 07000 and Larkfield, Inc. a Georgia Corporation (“Larkfield”), with offices in Akron, Ohio.',
    ['Ferrow Corporation', 'Larkfield, Inc.'],
  ],
  [
    'a place before "and"',
    'This Deed is made between Arbor Mills Limited, a company incorporated under the laws of England and Wales, and The Bexley Trust (“Bexley”).',
    ['Arbor Mills Limited', 'The Bexley Trust'],
  ],
  [
    'names that begin with a small letter, and a semicolon between parties',
    'This Agreement is entered into by and between thecorner.net, Inc., with its place of business in New York, NY 10010 (“thecorner”); and Ida Marsh, an individual (“Celebrity”).',
    ['thecorner.net, Inc.', 'Ida Marsh'],
  ],
  [
    'a seat in brackets within the name, and a place with "of"',
    'This Contract is between Lotus Harbour (Shanghai) Software Co., Ltd. and Penrose Learning UK Limited of Quarry House, 12 Abbey Road.',
    ['Lotus Harbour (Shanghai) Software Co., Ltd.', 'Penrose Learning UK Limited'],
  ],
  [
    'a paragraph that begins with its parties',
    'Corvina Biologics, Inc., with a place of business in Berkeley, CA 94710 (“Corvina”) and Veldhuis B.V., a company in Leiden, the Netherlands (“Consultant”) agree to all terms of this Consulting Agreement.',
    ['Corvina Biologics, Inc.', 'Veldhuis B.V.'],
  ],
  [
    'a form that leaves one party open',
    'This Agreement is made by and between ____ , an Authorized Person of ____ , and Millbrook Exchange, L.L.C., a Delaware limited liability company (“Millbrook”).',
    ['Millbrook Exchange, L.L.C.'],
  ],
])('only the parties are found beside %s', (_, text, parties) => {
  expect(read('en', text)).toMatchObject({ parties });
});

test('the date of the opening is the effective date where no other is stated', () => {
  expect(
    read('en', 'THIS LEASE is made the 16th day of October 2021 BETWEEN Hale Farm Ltd and Joan Pell.'),
  ).toMatchObject({
    parties: ['Hale Farm Ltd', 'Joan Pell'],
    effectiveDate: '2021-10-16',
  });
});

test('a date that the agreement defines as the effective date comes before the date of the opening', () => {
  expect(
    read(
      'en',
      'This Agreement is entered into this 31 January, 1994 by and between Sagan S.A. and Pell Trading Ltd.',
      'EFFECTIVE DATE shall mean the Date of Installation in Kuwait, i.e. December 10, 1993.',
    ),
  ).toMatchObject({ effectiveDate: '1993-12-10' });
});

test.each([
  ['the laws and decisions of the State of Georgia', 'Georgia'],
  ['the laws of the People’s Republic of China', 'People’s Republic of China'],
  ['the laws in force in the Province of Ontario', 'Ontario'],
])('the governing law is found in "%s"', (words, governingLaw) => {
  expect(read('en', `This Agreement is governed by ${words}.`)).toMatchObject({ governingLaw });
});

test('the law by which disputes are determined governs the agreement', () => {
  const text = 'Disputes are determined in accordance with the laws of the State of Michigan.';
  expect(read('en', text)).toMatchObject({ governingLaw: 'Michigan' });
});

test('an agreement in the form of a letter is between its addressee and the company that it names', () => {
  expect(
    read(
      'en',
      'Hollis Global Corporation 15 Barranca Parkway Irvine, CA 92618',
      'In connection with your possible transaction with Lumen Card Corporation (the “Company”), you have requested information.',
      'The parties hereby agree as of July 31, 2008 (the “Effective Date”). The last meeting was on May 31, 2010.',
    ),
  ).toEqual({ parties: ['Hollis Global Corporation', 'Lumen Card Corporation'], effectiveDate: '2008-07-31' });
});

test.each([
  [
    'de',
    [
      'zwischen der Alpenblick Software GmbH, Seestraße 4, 80331 München (nachfolgend "Auftragnehmer" genannt) und der Weber Logistik AG, Hafenweg 9, 20457 Hamburg (nachfolgend "Auftraggeber" genannt)',
      'Der Vertrag tritt am 1. April 2022 in Kraft. Die Laufzeit beträgt 24 Monate.',
      'Es gilt das Recht der Bundesrepublik Deutschland.',
    ],
    ['Alpenblick Software GmbH', 'Weber Logistik AG'],
    '2022-04-01',
    '24 Monate',
    'Deutschland',
  ],
  [
    'fr',
    [
      'Entre les soussignés : la société Horizon Bleu SAS, au capital de 10 000 euros, et la société Martin SARL, dont le siège est à Lyon.',
      'Le présent contrat prend effet le 15 mai 2023 pour une durée de douze mois.',
      'Le présent contrat est soumis au droit français.',
    ],
    ['Horizon Bleu SAS', 'Martin SARL'],
    '2023-05-15',
    '12 mois',
    'français',
  ],
  [
    'es',
    [
      'Entre Inmobiliaria Sol S.L., en adelante el arrendador, y Carlos Pérez Ruiz, en adelante el arrendatario.',
      'El contrato tendrá una duración de cinco años y entrará en vigor el 1 de noviembre de 2021.',
      'Este contrato se rige por la legislación española.',
    ],
    ['Inmobiliaria Sol S.L.', 'Carlos Pérez Ruiz'],
    '2021-11-01',
    '5 años',
    'española',
  ],
])('an agreement in %s', (language, texts, parties, effectiveDate, term, governingLaw) => {
  expect(read(language, ...texts)).toEqual({ parties, effectiveDate, term, governingLaw });
});

test('a term is written in ISO 8601 where the schema requests it, and the evidence keeps the words', () => {
  const text = 'The term of this Agreement shall be two years. It begins on 1 May 2021.';
  const tree = finishTree(
    { blocks: [{ type: 'paragraph', text, page: 1 }], pageCount: 1, title: null, warnings: [] },
    'en',
  );
  const term = (keywords: object): unknown => {
    const schema = readSchema({ type: 'object', properties: { term: { type: 'string', ...keywords } } });
    const { data, evidence } = extractTree(tree, schema);
    return [data, evidence['/term']?.quote];
  };
  expect(term({ format: 'duration' })).toEqual([{ term: 'P2Y' }, 'two years']);
  expect(term({ description: 'Term as an ISO 8601 duration, such as P30D' })).toEqual([{ term: 'P2Y' }, 'two years']);
  expect(term({})).toEqual([{ term: '2 years' }, 'two years']);
  expect(term({ description: 'Term as printed' })).toEqual([{ term: 'two years' }, 'two years']);
});

const PERIODS = readSchema({
  type: 'object',
  properties: { term: { type: 'string' }, noticePeriod: { type: 'string' } },
});

function periods(language: string, ...texts: string[]): unknown {
  const blocks = texts.map((text): BlockDraft => ({ type: 'paragraph', text, page: 1 }));
  return extractTree(finishTree({ blocks, pageCount: 1, title: null, warnings: [] }, language), PERIODS).data;
}

test.each([
  ['en', 'This Agreement remains in force for three years.', 'Either party may end it on 60 days written notice.'],
  ['en', 'It shall continue for a term of three years.', 'Each party shall give notice of at least 60 days.'],
])('the sentence decides between the term and the period of notice (%s: %s)', (language, term, notice) => {
  const deadline = 'Invoices are paid within 30 days.';
  expect(periods(language, deadline, term, notice)).toEqual({ term: '3 years', noticePeriod: '60 days' });
});

test('a period of notice ends the agreement, and does not begin with a notice', () => {
  const cure = 'A party may terminate if a breach is not cured within 30 days after written notice.';
  const audit = 'The books may be audited upon five (5) days prior written notice.';
  const renewal = 'It renews unless a party gives notice of non-renewal at least sixty (60) days before its end.';
  expect(periods('en', cure, audit, renewal)).toEqual({ noticePeriod: '60 days' });
});

test('a period beyond the end, and one in which something is forbidden, is no term', () => {
  const restraint = 'For a period of one (1) year thereafter the Recipient shall not act for others.';
  const staff = 'Neither party will for a term of two years solicit employees of the other.';
  expect(periods('en', restraint, staff)).not.toHaveProperty('term');
  const end = 'The obligations expire on the third anniversary of its date.';
  expect(periods('en', staff, end)).toMatchObject({ term: '3 years' });
});

test('a period is read across the end of a line', () => {
  const start = 'This Agreement shall remain in force for a period of two';
  expect(periods('en', start, '(2) years from its date.')).toEqual({ term: '2 years' });
});

test('a period in which something must be done is no term', () => {
  expect(periods('en', 'This Agreement. Invoices are paid within 30 days of receipt.')).toEqual({});
});

test('parties are found by their roles in a list of key terms', () => {
  const texts = ['Service Agreement', 'Supplier: Arden Mills Ltd', 'Customer: Bela Voss', 'Effective date: 3 May 2024'];
  expect(read('en', ...texts)).toMatchObject({ parties: ['Arden Mills Ltd', 'Bela Voss'] });
});
