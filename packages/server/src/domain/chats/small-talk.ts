/** Recognises messages that only greet, thank or agree: no document answers them. */

/** English is last: other languages use its words too. */
const WORDS: Readonly<Record<string, string>> = {
  de: 'hallo|danke|schön|vielen|dank|guten|tag|morgen|abend|tschüss|super|alles klar|verstanden|bitte|prima',
  fr: 'bonjour|bonsoir|salut|merci|beaucoup|bien|d’accord|au revoir|parfait',
  es: 'hola|gracias|muchas|buenos|días|buenas|tardes|vale|adiós|perfecto|entendido',
  it: 'ciao|grazie|mille|buongiorno',
  pt: 'obrigad[oa]|olá',
  nl: 'hoi|bedankt|dank je',
  zh: '你好|您好|谢谢|多谢|好的|再见',
  ja: 'こんにちは|ありがとう(?:ございます)?|どうも',
  en: 'hi|hello|hey|thanks?(?: you)?|many|very|much|so|a lot|ok(?:ay)?|great|cool|nice|good|perfect|bye|goodbye|morning|afternoon|evening|there|cheers|got it|i see|understood|alright',
};
const END = String.raw`[\s,.!?…。！？、~]*`;
const ANY = new RegExp(String.raw`^[\s¡]*(?:(?:${Object.values(WORDS).join('|')})${END})+$`, 'iu');
const FIRST = Object.entries(WORDS).map(
  ([language, words]) => [language, new RegExp(String.raw`^[\s¡]*(?:${words})(?!\p{Script=Latin})`, 'iu')] as const,
);
const MAX_LENGTH = 60;

export const isSmallTalk = (text: string): boolean => text.length <= MAX_LENGTH && ANY.test(text);

/** Returns the language of the first word of small talk. */
export const languageOfSmallTalk = (text: string): string | null =>
  FIRST.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
