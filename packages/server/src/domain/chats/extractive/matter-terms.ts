/**
 * Selects the content terms of a question. In Chinese and Japanese every character and every two adjacent characters
 * are terms: particles, question words and pairs across word boundaries would match any chunk.
 */

const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
/** Two or more Han or Katakana characters: a word or a part of one. */
const MATTER = /^(?:\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{2,})$/u;
/** Interrogative and connecting characters of Chinese and Japanese. */
const QUESTION_CHARACTERS = /[的了是在有和与及其被把对从到由吗呢吧么这那哪谁几何誰什]/u;
const ASKING_WORDS = new Set(
  '多少 多久 多大 多高 多长 时候 时间 长时 地方 名字 名称 原因 怎么 怎样 如何 为何 为什 哪里 以及 可以 因为 成为 称为 被称 叫做 名前 理由 場所 時期 以下 以上 呼称'.split(
    ' ',
  ),
);

/** Returns the content terms, or all terms if there are none. */
export function matterTerms(terms: readonly string[]): string[] {
  const cjk = terms.filter((term) => CJK.test(term));
  if (cjk.length === 0) return [...terms];
  const words = cjk.filter((term) => MATTER.test(term) && !QUESTION_CHARACTERS.test(term) && !ASKING_WORDS.has(term));
  const alone = cjk.filter(
    (term) =>
      /^\p{Script=Han}$/u.test(term) &&
      !QUESTION_CHARACTERS.test(term) &&
      !cjk.some((other) => MATTER.test(other) && other.includes(term)),
  );
  const matter = terms.filter((term) => !CJK.test(term) || words.includes(term) || alone.includes(term));
  return matter.length > 0 ? matter : [...terms];
}
