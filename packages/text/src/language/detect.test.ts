import { expect, test } from 'vitest';
import { detectLanguage } from './detect.ts';

test.each([
  ['これは日本語の文章です', 'ja'],
  ['这是一个中文句子', 'zh'],
  ['이것은 한국어 문장입니다', 'ko'],
  ['ภาษาไทย', 'th'],
  ['Αυτή είναι μια πρόταση', 'el'],
  ['это просто русский текст', 'ru'],
  ['Це звичайне українське речення про їжу', 'uk'],
  ['هذا نص عربي قصير جدا', 'ar'],
  ['यह हिंदी का एक वाक्य है', 'hi'],
  ['Dies ist ein längerer deutscher Satz über Datenbanken.', 'de'],
  ['This sentence is plainly English, isn’t it?', 'en'],
])('finds the language of %s', async (text, language) => {
  expect(await detectLanguage(text)).toBe(language);
});

test.each(['', '12345 67890 !?', 'AB-12'])('returns null for %j', async (text) => {
  expect(await detectLanguage(text)).toBeNull();
});

test('reads beginning, middle and end of a long text', async () => {
  const german = 'Die Verteidigung der Stadt dauerte viele Jahre und kostete das Land ein Vermögen. ';
  expect(await detectLanguage(`${'1 '.repeat(50_000)}${german.repeat(30)}`)).toBe('de');
});
