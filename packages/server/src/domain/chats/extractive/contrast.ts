/**
 * Detects sentences that resemble a question but say something else: the opposite, or something about another one than
 * the first, last or largest. Covers English words only.
 */
import { analyse } from '@quire/text/language/analyse';

/** Pairs of words that exclude each other in otherwise similar sentences. */
const OPPOSITES = `
  after:before earlier:later early:late first:last old:new ancient:modern begin:end start:end open:close day:night
  largest:smallest biggest:smallest large:small larger:smaller highest:lowest high:low higher:lower lowest:peak
  maximum:minimum most:least most:fewest more:less more:fewer best:worst longest:shortest long:short longer:shorter
  increase:decrease increase:reduce rise:fall grow:shrink gain:lose win:lose victory:defeat success:failure succeed:fail
  allow:prohibit allow:forbid allow:prevent permit:prohibit permit:forbid permit:ban accept:reject accept:refuse agree:refuse
  support:oppose include:exclude attack:defend create:destroy protect:destroy build:demolish add:remove appear:disappear
  buy:sell import:export arrive:leave enter:leave push:pull up:down above:below inside:outside internal:external
  north:south northern:southern east:west eastern:western domestic:foreign public:private urban:rural legal:illegal
  similar:different same:different always:never positive:negative active:passive awake:sleep advantage:disadvantage
  rich:poor strong:weak fast:slow faster:slower hot:cold easy:difficult simple:complex cheap:expensive
  major:minor majority:minority primary:secondary male:female war:peace love:hate`;

/** Maps each form of a word to the forms of its opposites. */
const OPPOSED = opposedForms();
const NEGATING_PREFIX = /^(?:un|in|im|non|dis|il|ir)/u;
const MIN_STEM = 4;
/** Words that single out one thing or none; a sentence without the word may be about other things. */
const RANK = /^(?:first|last|only|never|most|least|original\w*|\p{L}{2,}est)$/u;
const NO_RANK = new Set(
  'west interest request test rest forest guest best harvest invest protest contest honest'.split(' '),
);

/** Returns whether the sentence contains the opposite of a word of the question, and not the word itself. */
export function hasOpposite(question: string, sentence: string): boolean {
  const asked = wordsOf(question);
  const said = wordsOf(sentence);
  const saidForms = new Set([...said].flatMap(formsOf));
  return [...asked].some((word) => {
    const forms = formsOf(word);
    if (forms.some((form) => saidForms.has(form))) return false;
    const opposite = [...said].some((other) => !asked.has(other) && excludes(forms, formsOf(other)));
    return opposite;
  });
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu));
}

function formsOf(word: string): string[] {
  return [word, ...analyse(word, 'en')];
}

function excludes(forms: readonly string[], others: readonly string[]): boolean {
  return forms.some((form) => others.some((other) => OPPOSED.get(form)?.has(other) === true || negates(form, other)));
}

/** Returns whether one word is the other with a negating prefix, as "uncivilised" is. */
function negates(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length > MIN_STEM && NEGATING_PREFIX.test(long) && long.replace(NEGATING_PREFIX, '') === short;
}

/** Returns whether the question contains a rank word (first, largest, never) that the sentence lacks. */
export function lacksRank(question: string, sentence: string): boolean {
  const said = wordsOf(sentence);
  return [...wordsOf(question)].some((word) => RANK.test(word) && !NO_RANK.has(word) && !said.has(word));
}

function opposedForms(): Map<string, Set<string>> {
  const opposed = new Map<string, Set<string>>();
  for (const pair of OPPOSITES.trim().split(/\s+/u)) {
    const [a = '', b = ''] = pair.split(':');
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const form of formsOf(from)) opposed.set(form, new Set([...(opposed.get(form) ?? []), ...formsOf(to)]));
    }
  }
  return opposed;
}
