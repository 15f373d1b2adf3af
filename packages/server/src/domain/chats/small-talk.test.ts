import { expect, test } from 'vitest';
import { isSmallTalk, languageOfSmallTalk } from './small-talk.ts';
import { askAQuestion } from './stream/replies.ts';

test.each([
  'hi',
  'Hello!',
  'thanks!',
  'Thank you very much.',
  'ok',
  'Danke schön!',
  'Merci beaucoup',
  '¡gracias!',
  '谢谢',
])('“%s” is small talk', (text) => {
  expect(isSmallTalk(text)).toBe(true);
});

test.each(['Why?', 'Good prices', 'Who says thanks?', 'and in 2019?', ''])('“%s” is no small talk', (text) => {
  expect(isSmallTalk(text)).toBe(false);
});

test.each([
  ['Hallo, danke!', 'de'],
  ['¡Buenos días!', 'es'],
  ['Merci beaucoup', 'fr'],
  ['olá', 'pt'],
  ['ありがとうございます', 'ja'],
  ['Hi there', 'en'],
])('“%s” is answered in %s', (text, language) => {
  expect(languageOfSmallTalk(text)).toBe(language);
});

test('small talk in a language without a reply is answered in English', () => {
  expect(askAQuestion('fi')).toBe(askAQuestion('en'));
});
