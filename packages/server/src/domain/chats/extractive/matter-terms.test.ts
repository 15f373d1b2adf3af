import { expect, test } from 'vitest';
import { readQuestion } from './question.ts';

test.each([
  ['返品は何日以内ですか', 'ja', ['返品', '日以', '以内']],
  ['社長の名前は？', 'ja', ['社長']],
  ['犬は？', 'ja', ['犬']],
  ['誰のですか', 'ja', ['誰', 'の', 'で', 'す', 'か', '誰の', 'ので', 'です', 'すか']],
  ['保修期是多长时间？', 'zh', ['保修', '修期']],
  ['Wie viele Tage Urlaub gibt es?', 'de', ['urlaub']],
  ['Was soll man mit dem Schlüssel tun?', 'de', ['schlussel']],
  ['Que doit faire le locataire ?', 'fr', ['locatair']],
  ['¿Qué puede hacer el inquilino?', 'es', ['inquilin']],
  ['How many days of leave are there?', 'en', ['leav']],
])('%s is about %s', (question, language, terms) => {
  expect(readQuestion(question, language).terms).toEqual(terms);
});

test.each([
  ['Darf mein Fahrrad im Treppenhaus stehen?', 'de', []],
  ['Was kostet das Modell X200?', 'de', ['x200']],
  ['ロンドンの人口は2020年に何人ですか', 'ja', ['ロ', 'ン', 'ド', 'ロン', 'ンド', 'ドン', '2020']],
  ['When did Ann Lee leave?', 'en', ['ann', 'lee']],
])('names and numbers of %s', (question, language, names) => {
  expect(readQuestion(question, language).names).toEqual(names);
});
