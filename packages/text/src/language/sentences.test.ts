import { describe, expect, test } from 'vitest';
import { sentences } from './sentences.ts';

/** Sentences of a text, in which `|` marks each expected boundary. */
function expectSplit(marked: string, language: string | null): void {
  const parts = marked.split(' | ');
  expect(sentences(parts.join(' '), language).map((part) => part.trim())).toEqual(parts);
}

describe('a full stop that ends no sentence', () => {
  test.each<[string, string]>([
    ['en', 'Charles W. Eliot was president of Harvard. | J. R. R. Tolkien taught at Oxford.'],
    ['en', 'It was written by J. Smith and Mary K. Jones in 1990. | Both left.'],
    ['en', 'Dr. Brown met Mrs. Green on St. James St. near Mt. Hood. | They spoke.'],
    ['en', 'It was taken by Brig. Gen. Ulysses Grant in 1862. | Kemet (lit. "Black land") is old. | He left.'],
    ['en', 'Apple Inc. Chief Executive Tim Cook spoke. | Nobody left.'],
    ['en', 'The firm is Acme Inc. | The firm is in the U.S. | It sells wire.'],
    ['en', 'It costs 3.50 dollars, i.e. The Price of No. 5 in Fig. 3 on p. 12. | Fine.'],
    ['en', 'See e.g. The Times of Jan. 3 for it. | So did I. | Paul stayed.'],
    ['en', 'The train leaves at 5 p.m. | The bus does not. | It is 5 m. | Look!'],
    ['de', 'Das Gesetz trat am 3. Oktober 1990 in Kraft. | Der 19. Band folgte.'],
    ['de', 'Ludwig XIV. Karl und Heinrich VIII. Tudor regierten. | Es war 1650. | Paris wuchs.'],
    [
      'de',
      'Nach § 5 Abs. 2 Nr. 3 BGB haftet z. B. Herr Dr. Meier. | Die Frist beträgt ca. 3 Mio. Tage usw. | Das gilt.',
    ],
    ['de', 'Kemet (wörtl. „Schwarzes Land“) heißt lat. Aegyptus. | Der ehem. Minister ging.'],
    ['fr', 'M. Dupont et Mme. Curie, cf. Annexe A, p. 5. | Elle est partie.'],
    ['es', 'El Sr. García y la Dra. López viven en EE. UU. | El resto no.'],
    ['it', 'Il sig. Rossi cita l’art. 5 della legge. | Il dott. Bianchi no.'],
    ['pt', 'O Sr. Silva e a Dra. Costa vieram. | O resto não.'],
    ['nl', 'Dhr. Jansen en prof. Bakker zijn er, enz. | De rest niet.'],
    ['ru', 'А. С. Пушкин родился в г. Москве. | В 1990 г. | Он жил на ул. Ленина.'],
    ['uk', 'Т. Г. Шевченко жив на вул. Садовій. | Він писав.'],
    ['pl', 'Wyrok z 3. Maja wydał prof. Kowalski. | To jest na ul. Długiej.'],
    ['cs', 'Dne 5. Května přišel Dr. Novák. | To je vše.'],
    ['el', 'Ο κ. Παπαδόπουλος ήρθε. | Η Μαρία έφυγε.'],
    ['ar', 'قال د. أحمد ذلك. | ثم ذهب.'],
    ['hi', 'डॉ. शर्मा आए। | वे गए। | यह सच है।'],
    ['ja', '彼は「行く。」と言った。 | それは本当だ。'],
  ])('%s: %s', (language, text) => expectSplit(text, language));
});

test('the number of a list item belongs to the item', () => {
  expect(sentences('1. First item\n2. Second item. It goes on.\n2.1. Deeper\na. Letter\n(b) Other')).toEqual([
    '1. First item\n',
    '2. Second item. ',
    'It goes on.\n',
    '2.1. Deeper\n',
    'a. Letter\n',
    '(b) Other',
  ]);
  expect(sentences('Do this: 1. Open it. 2. Close it.')).toEqual(['Do this: 1. Open it. ', '2. Close it.']);
});

test('other marks end sentences, except before a lower-case letter', () => {
  expect(sentences('Really? “Yes!” she said. Well… Perhaps. 好。“你好。”他说。वाह। كيف؟ نعم.')).toEqual([
    'Really? ',
    '“Yes!” she said. ',
    'Well… ',
    'Perhaps. ',
    '好。',
    '“你好。”',
    '他说。',
    'वाह। ',
    'كيف؟ ',
    'نعم.',
  ]);
});

/** Parts of generated sentences: subjects with initials and titles, verbs with decimals and references, ends. */
const GENERATED: Readonly<Record<string, { subjects: string[]; verbs: string[]; objects: string[]; ends: string }>> = {
  en: {
    subjects: ['The court', 'Dr. A. B. Carter', 'Mr. Lee', 'No. 7', 'The U.S. Senate', 'Maria', 'St. Paul', 'He'],
    verbs: ['paid $3.50 for', 'saw', 'cited pp. 12–14 of', 'met at 5 p.m. near', 'wrote, e.g., about', 'sold'],
    objects: ['Fig. 3', 'the house', 'Acme Inc. shares', 'version 2.10', 'Vol. 3, ch. 2', 'J. Smith’s book', 'it'],
    ends: '.!?',
  },
  de: {
    subjects: ['Das Gericht', 'Frau Dr. K. Weber', 'Der 2. Senat', 'Nr. 7', 'Herr Prof. Beck', 'Sie', 'Die Firma'],
    verbs: ['zahlte am 3. Oktober 1990 für', 'sah', 'nannte Abs. 2 vor', 'verkaufte ca. 3 Mio. mal', 'las z. B. über'],
    objects: ['Art. 5', 'das Haus', '3,5 Prozent', 'S. 14', 'das 19. Jahrhundert', 'Abb. 2 und Tab. 3', 'es'],
    ends: '.!?',
  },
  fr: {
    subjects: ['La cour', 'M. Dupont', 'Mme. Curie', 'Le Dr. A. Martin', 'Elle', 'L’État'],
    verbs: ['a payé 3,50 euros pour', 'a vu', 'cite, cf. Annexe 2,', 'connaît'],
    objects: ['l’art. 5', 'la maison', 'la fig. 3', 'le vol. 2', 'J. Verne', 'la p. 12'],
    ends: '.!?',
  },
  ru: {
    subjects: ['Суд', 'А. С. Пушкин', 'Проф. Иванов', 'Она', 'Акад. Н. Петров'],
    verbs: ['видел', 'заплатил 3,5 тыс. рублей за', 'назвал рис. 2 и', 'любит'],
    objects: ['дом', 'ул. Ленина', 'г. Москву', 'табл. 3', 'это'],
    ends: '.!?',
  },
  el: {
    subjects: ['Το δικαστήριο', 'Ο κ. Παπάς', 'Η Δρ. Μ. Νίκου', 'Αυτή'],
    verbs: ['είδε', 'πλήρωσε 3,5 ευρώ για', 'διάβασε'],
    objects: ['το σπίτι', 'τη σελ. 5', 'το κεφ. 2', 'την εικ. 3'],
    ends: '.!',
  },
  ar: {
    subjects: ['المحكمة', 'د. أحمد', 'هو', 'المدينة'],
    verbs: ['رأت', 'دفعت 3.5 دولار مقابل', 'قرأت'],
    objects: ['البيت', 'الكتاب', 'المادة 5', 'الصفحة 12'],
    ends: '.!؟',
  },
  hi: {
    subjects: ['अदालत ने', 'डॉ. शर्मा ने', 'उसने', 'शहर ने'],
    verbs: ['3.5 रुपये में', 'कल', 'आज'],
    objects: ['घर देखा', 'किताब पढ़ी', 'पृष्ठ 5 देखा'],
    ends: '।?!',
  },
  zh: {
    subjects: ['法院', '他', '这座城市', '李博士'],
    verbs: ['看见了', '花3.5元买了', '引用了'],
    objects: ['房子', '第5条', '“好”这个字', 'A. Smith的书'],
    ends: '。！？',
  },
  ja: {
    subjects: ['裁判所は', '彼は', 'その町は', '田中博士は'],
    verbs: ['昨日', '3.5円で', '「行く。」と言って'],
    objects: ['家を見た', '本を読んだ', '第5条を引用した'],
    ends: '。！？',
  },
  ko: {
    subjects: ['법원은', '그는', '그 도시는', '김 박사는'],
    verbs: ['어제', '3.5원에', '다시'],
    objects: ['집을 보았다', '책을 읽었다', '제5조를 인용했다'],
    ends: '.!?',
  },
};

const COUNT = 2_000;

test.each(Object.entries(GENERATED))(
  '%s: 2,000 generated sentences are split as they were joined',
  (language, parts) => {
    const { subjects, verbs, objects, ends } = parts;
    const joint = /^[zj]/u.test(language) ? '' : ' ';
    const expected = Array.from({ length: COUNT }, (_, at) => {
      const pick = (list: string[] | string, step: number): string => list[Math.floor(at / step) % list.length] ?? '';
      const [second, third] = [subjects.length, subjects.length * verbs.length];
      const words = [pick(subjects, 1), pick(verbs, second), pick(objects, third)];
      return `${words.join(joint)}${pick(ends, third * objects.length)}`;
    });
    const found = sentences(expected.join(joint), language).map((part) => part.trim());
    const wrong = found.filter((part) => !expected.includes(part));
    expect({ wrong: [...new Set(wrong)].slice(0, 5), count: found.length }).toEqual({ wrong: [], count: COUNT });
  },
);
