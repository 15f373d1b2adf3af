/**
 * Finds the thing that a question describes in place of naming it: "the film in which Free Bird plays", "the painter of
 * The Scream", "the album released by Epic in 2005". The description is searched by itself, and then
 * the question with the name that is found.
 */
import { contentTerms } from './question.ts';

export interface Description {
  /** The description as it is in the question, without its article. */
  text: string;
  /** The noun of the described thing. */
  kind: string;
  /** Whether it is a relation to a name, such as "painter of The Scream", in place of a clause. */
  isRelation: boolean;
  /** Returns the question about the name. */
  about: (name: string) => string;
}

interface Grammar {
  /** Articles before a described thing. */
  article: string;
  /** Relative pronouns behind a noun, with their prepositions. */
  relative: string;
  /** Participles with a preposition behind a noun; empty in languages that rarely have them. */
  reduced: string;
  /** Prepositions between a relational noun and a name. */
  of: string;
  /** Nouns that name a thing by its relation to another one. */
  relations: string;
  /** Nouns for the part of a person or firm in a matter, also one that has no name ("the supplier of the screws"). */
  roles: string;
  /** Prepositions behind these nouns. */
  concerning: string;
  /** Auxiliary verbs; behind a description after one, the main verb follows. */
  auxiliary: string;
  /** Small words within names. */
  particles: string;
  /** Conjunctions and question words that begin another clause of the question. */
  conjunctions: string;
  asking: string;
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: {
    article: 'the|an?|this',
    relative:
      '(?:(?:in|of|to|on|from|for|by|after|with|at|during|under|against|through|into|near) )?(?:which|whom|whose)|that|who|where',
    reduced:
      '(?:\\p{L}{2,}ed|written|made|known|set|built|sung|held|run|won|born|drawn|shown|found|led) (?:by|as|in|on|to|from|for|with|after|at|into|during)|starring|featuring|containing|including|depicting|portraying|connecting|named after|based on',
    of: 'of|behind|by',
    relations:
      'author|writer|director|painter|artist|composer|singer|creator|founder|architect|designer|inventor|builder|producer|actor|actress|star|wife|husband|father|mother|son|daughter|brother|sister|owner|publisher|developer|manufacturer|maker|successor|predecessor|leader|employer|engineer|ancestor|descendant|librettist|translator|conductor|head|president|king|queen|captain|coach|band|duo|group|company|label|capital|hometown|birthplace|country|university|school|club|team|league|sculptor|photographer|editor|host|discoverer|commander|winner|sequel|prequel',
    roles:
      '(?:managing |sales |technical |product |project |works |property )?(?:manager|director|leader|head)|manager|supplier|provider|customer|client|contractor|subcontractor|vendor|landlord|tenant|carrier|haulier|insurer|auditors?|partner|sender|recipient|buyer|seller|lender|sponsor|organi[sz]er|operator|chair(?:man|woman|person)?|secretary|deputy|assistant|successor|predecessor|employer|owner|maker|manufacturer|publisher|designer|author|founder|inventor|signatory|contact|responsible',
    concerning: 'of|for|behind|at|in',
    auxiliary: 'did|do|does|was|were|is|are|has|have|had|can|will',
    particles: 'of|the|and|an?|with|at|in|on|to|for|from|de|del|la|le|au|du|von|van|der',
    conjunctions: 'and|or|but',
    asking: 'who|whom|whose|what|which|when|where|why|how',
  },
  de: {
    article: 'der|die|das|dem|den|des|eine[mnrs]?|ein',
    relative:
      '(?:(?:in|an|auf|von|mit|für|durch|nach|bei|zu|aus) )?(?:der|die|das|dem|den|dessen|deren|denen|welche[rsmn]?)|wo',
    reduced: '',
    of: 'von|des|der',
    relations:
      'autors?|autorin|regisseurs?|regisseurin|malers?|malerin|künstlers?|komponist(?:en)?|sängers?|sängerin|gründers?|gründerin|architekt(?:en)?|erfinders?|produzent(?:en)?|hersteller?s?|hauptstadt|herausgebers?|verlags?|entwicklers?|nachfolgers?|vorgängers?|band|gruppe|vereins?|landes?',
    roles:
      'lieferant(?:en|in)?|zulieferers?|anbieters?|kund(?:e|en|in)|auftraggebers?|auftragnehmers?|dienstleisters?|vermieters?|mieters?|spediteurs?|versicherers?|prüfers?|prüferin|partners?|absenders?|empfängers?|käufers?|verkäufers?|betreibers?|veranstalters?|leiters?|leiterin|chefs?|chefin|geschäftsführers?|geschäftsführerin|vorsitzende[rn]?|stellvertreters?|stellvertreterin|nachfolgers?|nachfolgerin|vorgängers?|vorgängerin|gestalters?|gestalterin|entwerfers?|besitzers?|besitzerin|eigentümers?|eigentümerin|herstellers?|verfassers?|verfasserin|verantwortliche[rn]?|ansprechpartners?',
    concerning: 'von|der|des|für|hinter',
    auxiliary: 'wurde|wurden|ist|sind|war|waren|hat|haben|hatte|wird|werden|starb|kann',
    particles: 'von|der|die|das|des|dem|den|und|in|im|am|zu|zum|für|mit',
    conjunctions: 'und|oder|aber',
    asking: 'wer|wen|wem|wessen|was|welche[rsnm]?|wann|wo|wohin|woher|warum|wie',
  },
  fr: {
    article: 'les?|la|une?|du|des|au|aux',
    relative:
      'qui|que|dont|où|(?:dans|sur|pour|par|avec|à|de) (?:lequel|laquelle|lesquels|lesquelles|qui)|auquel|à laquelle|duquel',
    reduced: '(?:\\p{L}{2,}[éi]e?s?) (?:par|en|dans|à|sous|pour)',
    of: 'de la|de l’|de|du|des',
    relations:
      'auteure?|écrivain|réalisateur|réalisatrice|peintre|artiste|compositeur|chanteur|chanteuse|créateur|créatrice|fondateur|fondatrice|architecte|inventeur|producteur|acteur|actrice|capitale|éditeur|fabricant|groupe|pays|club',
    roles:
      'fournisseur|prestataire|client|cliente|sous-traitant|bailleur|locataire|transporteur|assureur|auditeur|partenaire|expéditeur|destinataire|acheteur|vendeur|exploitant|organisateur|responsable|directeur|directrice|gérante?|chef|cheffe|président|présidente|adjoint|adjointe|successeur|prédécesseur|propriétaire|fabricant|auteure?|créateur|créatrice|fondateur|fondatrice',
    concerning: "de la|de l[’']|des|du|de|pour",
    auxiliary: 'est|sont|était|a|ont|fut|ait|sera',
    particles: 'de|du|des|la|le|les|et|à|au|aux|en|d',
    conjunctions: 'et|ou|mais',
    asking: 'qui|que|quel(?:le)?s?|quand|où|pourquoi|comment|combien',
  },
  es: {
    article: 'el|la|los|las|una?|del|al',
    relative: 'que|quien|donde|cuy[oa]s?|(?:en|por|para|con|de|a) (?:el|la|los|las) (?:que|cual|cuales)|al que|del que',
    reduced: '(?:\\p{L}{2,}[ai]d[oa]s?) (?:por|en|con|a|de|para)',
    of: 'de la|de|del',
    relations:
      'autora?|escritora?|directora?|pintora?|artista|compositora?|cantante|creadora?|fundadora?|arquitect[oa]|inventora?|productora?|actor|actriz|capital|editora?|fabricante|grupo|país|club',
    roles:
      'proveedora?|cliente|contratista|subcontratista|arrendadora?|inquilin[oa]|transportista|aseguradora|auditora?|soci[oa]|remitente|destinatari[oa]|compradora?|vendedora?|operadora?|organizadora?|responsable|directora?|gerente|jef[ea]|president[ea]|adjunt[oa]|sucesora?|predecesora?|propietari[oa]|dueñ[oa]|fabricante|autora?|creadora?|fundadora?',
    concerning: 'de la|de los|de las|del|de|para',
    auxiliary: 'es|son|era|fue|fueron|ha|han|está',
    particles: 'de|del|la|el|los|las|y|en|al|con',
    conjunctions: 'y|o|pero',
    asking: 'quién|qué|cuál|cuándo|dónde|cómo|cuánt[oa]s?',
  },
};

/** Length of a question above which no description is sought, in characters: the patterns take quadratic time. */
const MAX_LENGTH = 400;
/** Up to four words, of which none is one of `others`. */
const headWithout = (others: string): string => {
  const word = String.raw`(?!(?:${others})(?![\p{L}\p{Nd}]))[\p{L}\p{Nd}][\p{L}\p{Nd}'’-]*`;
  return `(?:${word} ){0,3}?${word}`;
};
/** A word of a name: capitalised or with a digit, also in quotation marks. */
const NAME_WORD = String.raw`["“„«‘']?[\p{Lu}\p{Nd}][\p{L}\p{M}\p{Nd}'’.:!?&-]*[,"”“»’]?`;

interface Found {
  start: number;
  end: number;
  /** Start without the article. */
  head: number;
  /** The noun. */
  kind: string;
  /** The main verb of the question, if it is within the description, and its end. */
  verb: { text: string; end: number } | null;
}

/** Returns the description of a question, or null if it names everything, or only the name is sought. */
export function descriptionIn(question: string, language: string | null): Description | null {
  const grammar = GRAMMARS[language ?? 'en'];
  const text = question.trim().replace(/[?.!\s]{1,8}$/u, '');
  if (grammar === undefined || text.length > MAX_LENGTH) return null;
  const clause = describedBy(clauseIn(text, grammar), text, grammar, language);
  const relation = clause ?? describedBy(relationIn(text, grammar), text, grammar, language);
  if (relation !== null) return { ...relation, isRelation: clause === null };
  for (const role of rolesIn(text, grammar)) {
    const described = describedBy(role, text, grammar, language);
    if (described !== null) return { ...described, isRelation: false };
  }
  return null;
}

/** Returns the description at a place of the question, or null without content in it or beside it. */
function describedBy(
  found: Found | null,
  text: string,
  { asking }: Grammar,
  language: string | null,
): Pick<Description, 'text' | 'kind' | 'about'> | null {
  if (found === null) return null;
  const [before, behind] = [text.slice(0, found.start), text.slice(found.end)];
  const { verb } = found;
  const tail = verb === null ? behind : ` ${verb.text}${behind}`;
  const about = (name: string): string => `${before}${name}${tail}?`.replaceAll(/\s+/gu, ' ').trim();
  const described =
    verb === null
      ? text.slice(found.head, found.end)
      : text.slice(found.head, verb.end - verb.text.length) + text.slice(verb.end + 1, found.end);
  const description = described.trim();
  const asked = contentTerms(`${before} ${tail}`, language);
  // A description without content ("the person who"), or a question without content beside it, needs no search.
  const isAsked = before.trim() !== '' || new RegExp(String.raw`(?<!\p{L})(?:${asking})(?!\p{L})`, 'iu').test(tail);
  if (!isAsked || asked.length === 0 || contentTerms(description, language).length < 2) return null;
  return { text: description, kind: found.kind, about };
}

/** Finds a noun with a relative clause, or with a participle. */
function clauseIn(
  text: string,
  { article, relative, reduced, auxiliary, particles, conjunctions, asking }: Grammar,
): Found | null {
  const verbs = reduced === '' ? relative : `${relative}|${reduced}`;
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}])(?<before>(?:${article}) |[ld][’'])(?<head>${headWithout(article)}),? (?:${verbs})(?![\p{L}\p{Nd}])`,
    'giu',
  );
  const found = [...text.matchAll(pattern)].findLast(({ groups }) => {
    const head = groups?.['head'] ?? '';
    return !new RegExp(String.raw`(?:^| )(?:${article}|${relative})(?= |$)`, 'iu').test(head);
  });
  if (found === undefined) return null;
  const head = found.index + (found.groups?.['before'] ?? '').length;
  const words = found.groups?.['head'] ?? '';
  const isAfterVerb = new RegExp(String.raw`(?<!\p{L})(?:${auxiliary}) $`, 'iu').test(text.slice(0, found.index));
  const rest = text.slice(found.index + found[0].length);
  const clause =
    new RegExp(String.raw`^.*?(?=,? (?:${conjunctions}) (?:${asking})(?!\p{L})|$)`, 'iu').exec(rest)?.[0] ?? rest;
  const start = found.index + found[0].length;
  const end = start + (isAfterVerb ? nameEnd(clause, particles) : clause.length);
  // "When was the album released that …": the main verb is before the clause.
  const verb =
    isAfterVerb && end === start + clause.length
      ? (/ (?<verb>\p{Ll}[\p{L}-]*)$/u.exec(words)?.groups?.['verb'] ?? '')
      : '';
  const kind =
    words
      .slice(0, words.length - verb.length)
      .trim()
      .split(' ')
      .at(-1) ?? '';
  return { start: found.index, head, end, kind, verb: verb === '' ? null : { text: verb, end: head + words.length } };
}

/**
 * Returns the end of the last name or number of a clause behind which words follow, or of the last one; its length
 * without any. The main verb of the question follows: "the artist who drew Red Hat paint Blue Lake".
 */
function nameEnd(clause: string, particles: string): number {
  const names = [...clause.matchAll(new RegExp(nameOf(particles), 'gu'))];
  const ends = names.map(({ 0: name, index }) => {
    const end = index + name.replace(/,$/u, '').length;
    return end + possessedAfter(clause.slice(0, end), clause.slice(end));
  });
  return ends.findLast((end) => /^ \p{Ll}/u.test(clause.slice(end))) ?? ends.at(-1) ?? clause.length;
}

/** Returns the length of the noun that a possessive name needs behind it: "the score of Valdström's drama". */
const possessedAfter = (before: string, behind: string): number =>
  /['’]s?$/u.test(before) ? (/^ \p{Ll}[\p{L}-]*/u.exec(behind)?.[0].length ?? 0) : 0;

const nameOf = (particles: string): string => String.raw`${NAME_WORD}(?: (?:(?:${particles}) ){0,3}${NAME_WORD})*`;

/** Returns the articles with an initial capital. */
const initial = (article: string): string => article.replaceAll(/(?<=^|\|)\p{Ll}/gu, (letter) => letter.toUpperCase());

/** Finds a relational noun before a name. */
function relationIn(text: string, { article, of, relations, particles }: Grammar): Found | null {
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}])(?:${article}|${initial(article)}) (?:\p{Ll}[\p{L}-]* ){0,2}?(?<kind>${relations}) (?:${of}) (?:(?:${article}) )?(?:\p{Ll}[\p{L}-]* )?${nameOf(particles)}`,
    'u',
  );
  const found = pattern.exec(text);
  if (found === null) return null;
  const head = found.index + found[0].search(/ /u) + 1;
  const nameEnds = found.index + found[0].replace(/,$/u, '').length;
  const end = nameEnds + possessedAfter(text.slice(0, nameEnds), text.slice(nameEnds));
  return { start: found.index, head, end, kind: found.groups?.['kind'] ?? '', verb: null };
}

/** Begin of the predicate behind a subject in French: "le chef de … a-t-il signé". */
const INVERTED = / \p{L}{1,30}-(?:t-)?(?:ils|il|elles|elle)(?!\p{L})/u;

/** Finds nouns of roles before what they are about: "the supplier of the screws". */
function rolesIn(text: string, { article, concerning, roles, auxiliary, particles }: Grammar): Found[] {
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{Nd}])(?<article>(?:${article}) |[ld][’'])(?:[\p{L}-]+ ){0,2}?(?<kind>${roles}) (?:${concerning})(?![\p{L}\p{Nd}])`,
    'giu',
  );
  return Array.from(text.matchAll(pattern), ({ 0: words, index, groups }) => {
    const behind = index + words.length;
    const isAfterVerb = new RegExp(String.raw`(?<!\p{L})(?:${auxiliary}) $`, 'iu').test(text.slice(0, index));
    const rest = text.slice(behind);
    const inverted = INVERTED.exec(rest)?.index ?? -1;
    const length = inverted >= 0 ? inverted : isAfterVerb ? nameEnd(rest, particles) : rest.length;
    const head = index + (groups?.['article'] ?? '').length;
    return { start: index, head, end: behind + length, kind: groups?.['kind'] ?? '', verb: null };
  });
}
