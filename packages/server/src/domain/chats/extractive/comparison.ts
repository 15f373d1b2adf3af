/**
 * Reads questions that compare two things by time or size: "Who was born earlier, the inventor of the loom or Ann
 * Lee?", "Was the pier built before the lighthouse?" Each thing has a question of its own then: "When was … built?"
 */

export interface Compared {
  /** The thing without its article, as a text to search for. */
  text: string;
  /** The question for the date or size of the thing. */
  question: string;
  /** The same question about "it". */
  plain: string;
}

interface Grammar {
  /** Beginnings of a choice, with the noun of the things as group `noun`, and the predicate. */
  choice: RegExp;
  /** Words of a predicate that compare times, and those that compare sizes. */
  time: RegExp;
  size: RegExp;
  or: RegExp;
  /** Yes or no about the order of two events: auxiliary, first thing with its predicate, and the second thing. */
  order: RegExp;
  /** The participle behind the first thing. */
  participle: RegExp;
  /** Articles, and pronouns in place of the noun. */
  article: RegExp;
  one: RegExp;
  auxiliary: RegExp;
  when: string;
  it: string;
  /** Auxiliary of a predicate without one. */
  did: string;
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: {
    choice:
      /^(?:who|which(?: of the (?:two|both))?(?: (?<noun>\p{Ll}[\p{L} -]{1,40}?))?|what) (?<predicate>(?:is|are|was|were|has|have|had|did|does|\p{Ll}{2,12}(?:ed|me|nt|an|ns|es|ds|ers)) [^,?]{2,80})$/iu,
    time: /\b(?:older|younger|newer|earlier|later|first|last|sooner|more recent(?:ly)?)\b/iu,
    size: /\b(?<size>deep|larg|high|tall|long|heavi|wid|big)(?:g?er)\b/iu,
    or: /,? or /iu,
    order:
      /^(?<auxiliary>was|were|is|are|did|has|had) (?<first>[^?]{3,120}?),? (?:earlier than|later than|before|after) (?<second>(?:the |an? )?[^\s?][^?]{2,120})$/iu,
    participle: /^(?<thing>.+) (?<verb>\p{Ll}+(?:ed|en|ne|lt|ld|de|rn|un|et|ut))$/u,
    article: /^(?:the|an?) /iu,
    one: /^(?:the )?one (?=\p{L})/iu,
    auxiliary: /^(?<auxiliary>is|are|was|were|has|have|had|did|does) (?<rest>.*)$/iu,
    when: 'When',
    it: 'it',
    did: 'did',
  },
  de: {
    choice:
      /^(?:wer|was|welche[rs]?(?: (?:von|der) beiden)?(?: (?<noun>\p{Lu}[\p{L}-]{1,40}))?) (?<predicate>\p{Ll}{2,12} [^,?]{2,80})$/iu,
    time: /(?<!\p{L})(?:älter|jünger|neuer|früher|später|zuerst|zuletzt|eher)(?!\p{L})/iu,
    size: /(?<!\p{L})(?<size>tief|groß|hoch|lang|schwer|breit)er(?!\p{L})/iu,
    or: /,? oder /iu,
    order:
      /^(?<auxiliary>wurden?|war|waren|ist|sind) (?<first>[^?]{3,120}?),? (?:früher als|später als|eher als|vor|nach) (?<second>(?:der|die|das|dem|den) [^?]{3,120})$/iu,
    participle: /^(?<thing>.+) (?<verb>\p{Ll}+(?:t|en))$/u,
    article: /^(?:der|die|das|den|dem|des|eine?[mnrs]?) /iu,
    one: /^(?:der|die|das)jenige[nrs]? /iu,
    auxiliary: /^(?<auxiliary>ist|sind|war|waren|wurden?|hat|haben) (?<rest>.*)$/iu,
    when: 'Wann',
    it: 'es',
    did: '',
  },
};

/** Words of the size that a comparative names. */
const SIZES: Readonly<Record<string, string>> = { larg: 'large', heavi: 'heavy', wid: 'wide' };
const MAX_LENGTH = 300;

/** Returns the two things that a question compares by time or size, or null. */
export function comparedIn(question: string, language: string | null): readonly [Compared, Compared] | null {
  const grammar = GRAMMARS[language ?? 'en'];
  const text = question.trim().replace(/[?.!\s]{1,8}$/u, '');
  if (grammar === undefined || text.length > MAX_LENGTH) return null;
  return choiceIn(text, grammar) ?? orderIn(text, grammar);
}

/** Reads "Which lake is deeper, Ansel or Tirrin". */
function choiceIn(text: string, grammar: Grammar): readonly [Compared, Compared] | null {
  const comma = text.search(/[,:] /u);
  const choice = comma < 0 ? null : grammar.choice.exec(text.slice(0, comma));
  const things = text
    .slice(comma + 2)
    .split(grammar.or)
    .map((each) => each.trim());
  const [first, second] = things;
  const { predicate, noun = '' } = choice?.groups ?? {};
  if (
    predicate === undefined ||
    first === undefined ||
    second === undefined ||
    things.length > 2 ||
    first.includes(',')
  )
    return null;
  const ask = questionFor(predicate, grammar);
  if (ask === null) return null;
  return [comparedOf(first, noun, ask, grammar), comparedOf(second, noun, ask, grammar)];
}

/** Reads "Was the pier built before the lighthouse". */
function orderIn(text: string, grammar: Grammar): readonly [Compared, Compared] | null {
  const { auxiliary, first = '', second = '' } = grammar.order.exec(text)?.groups ?? {};
  if (auxiliary === undefined || /^(?:the )?\p{Nd}/u.test(second)) return null;
  const { thing = first, verb = '' } = grammar.participle.exec(first)?.groups ?? {};
  const ask = (name: string): string => `${grammar.when} ${auxiliary.toLowerCase()} ${name} ${verb}`.trim();
  return [comparedOf(thing, '', ask, grammar), comparedOf(second, '', ask, grammar)];
}

/** Returns the question for a thing's date or size; null for a predicate that compares neither. */
function questionFor(
  predicate: string,
  { time, size, auxiliary, when, did }: Grammar,
): ((name: string) => string) | null {
  const sizeWord = size.exec(predicate)?.groups?.['size']?.toLowerCase();
  if (sizeWord === undefined && !time.test(predicate)) return null;
  const plain = predicate.replace(sizeWord === undefined ? time : size, ' ').trim();
  const { auxiliary: verb, rest } = auxiliary.exec(`${plain} `)?.groups ?? {};
  const [head, tail] = verb === undefined ? [did, plain] : [verb, rest ?? ''];
  const asked = sizeWord === undefined ? when : sizedQuestion(SIZES[sizeWord] ?? sizeWord, when);
  return (name) => `${asked} ${head} ${name} ${head === 'did' && verb === undefined ? infinitive(tail) : tail}`;
}

const INFINITIVES: Readonly<Record<string, string>> = {
  came: 'come',
  went: 'go',
  began: 'begin',
  became: 'become',
  ran: 'run',
  won: 'win',
  left: 'leave',
  rose: 'rise',
  fell: 'fall',
  got: 'get',
  sold: 'sell',
};

/** Puts the English verb at the beginning into the infinitive. */
const infinitive = (predicate: string): string =>
  predicate.replace(
    /^\p{L}+/u,
    (verb) =>
      INFINITIVES[verb] ??
      verb
        .replace(/(?<=^\p{L})ied$/u, 'ie')
        .replace(/ied$/u, 'y')
        .replace(/(?<=[vszcgu])ed$/u, 'e')
        .replace(/ed$/u, ''),
  );

const sizedQuestion = (size: string, when: string): string => `${when === 'When' ? 'How' : 'Wie'} ${size}`;

/** `noun` is that of the things: "which club … the one of the dockers" is the club of the dockers. */
function comparedOf(
  thing: string,
  noun: string,
  ask: (name: string) => string,
  { article, one, it }: Grammar,
): Compared {
  const isBare = /['’]s?$/u.test(thing);
  const whole = isBare ? `${thing} ${noun}` : noun === '' ? thing : thing.replace(one, `the ${noun} `);
  const asked = (name: string): string => `${ask(name)}?`.replaceAll(/\s+/gu, ' ').replace(/\s(?=\?$)/u, '');
  return { text: whole.replace(article, '').trim(), question: asked(whole.trim()), plain: asked(it) };
}
