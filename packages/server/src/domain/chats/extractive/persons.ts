/**
 * Recognises numbers of persons: "How many people speak it?" is answered by "2,300 speakers", not by "three valleys".
 */
import type { Value } from './values.ts';

/** Words for any persons, as a question counts them. */
const PERSONS =
  /^(?:people|persons?|individuals|folk|leuten?|personen|menschen|personnes|gens|personas|gente|persone|pessoas|mensen)(?![\p{L}-])/iu;

/** Returns whether the things that a question counts are any persons. */
export const arePersons = (things: string): boolean => PERSONS.test(things);

interface Grammar {
  /** Nouns for persons; most others are recognised by their endings. */
  nouns: string;
  endings: string;
  /** Nouns with such an ending for other things. */
  others: string;
  /** Words behind a number of persons without a noun ("seven of them drowned"), and verbs of persons. */
  bare: string;
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  en: {
    nouns:
      'people|persons?|men|women|children|boys|girls|adults|pupils|inhabitants|residents|refugees|guests|soldiers|staff|citizens|souls|victims|families|households|troops|crew|patients|relatives|friends|monks|nuns|priests|slaves|fans|believers|adherents|dead|youths?|heads|locals|volunteers|graduates|recruits|candidates|delegates|spectators|natives|patrons|clients|heirs|apprentices|colleagues',
    endings: '\\p{L}{2,}(?:ers|ors|ees|ists|ants|ians|folk|women|men|eers)',
    others:
      '(?:num|rememb|pap|lett|comput|chapt|quart|corn|cent|met|lit|centimet|kilomet|millimet|ord|pow|riv|flow|show|tow|fing|should|draw|print|cov|lay|bord|ladd|count|ov|oth|pet|ev|degr|tr|y|fl|do|doct|fact|col|sect|err|harb|flo|mot|tract|elephan|plan|restaur|pl|gr|f|l|committ|coff)(?:ers|ors|ees|ants|ours)',
    bare: '(?:of (?:them|whom|these|those)|lives?|attend(?:ed)?|took part|speak|spoke|liv(?:e|ed)|work(?:ed)?|died|drowned|perished|came|visited|signed|were (?:killed|injured|wounded|rescued|present|employed))',
  },
  de: {
    nouns:
      'leuten?|personen|menschen|männern?|frauen|kindern?|eltern|gästen?|mitglied(?:er)?n?|beschäftigten?|angestellten?|studierenden?|soldaten|studenten|angehörigen?|verletzten?|toten?|opfern?|familien|jugendlichen?|erwachsenen?|freiwilligen?|mönchen?|touristen|patienten|kunden|gesellen|sklaven|einheimischen?|geflüchteten?|kollegen|seelen|zeugen|stimmen',
    endings:
      '\\p{L}{2,}(?:innen|besuchern?|wohnern?|schülern?|arbeitern?|sprechern?|spielern?|lehrern?|lingen?|isten|bürgern?|nehmern?|sängern?|fahrern?|käufern?|helfern?|kräfte|gästen?|mitglieder|kindern?|leuten?|frauen|männern?)',
    others: 'zwillingen?|schmetterlingen?',
    bare: '(?:davon|von ihnen|starben|ertranken|kamen|lebten|leben|wohnen|wohnten|arbeiten|arbeiteten|sprechen|stimmten|nahmen teil)',
  },
  fr: {
    nouns:
      'personnes|gens|hommes|femmes|enfants|membres|adhérents|invités|soldats|élèves|salariés|employés|réfugiés|blessés|morts|victimes|familles|élus|riverains|citoyens|fidèles|âmes|clients|jeunes|adultes|parents|bénévoles|licenciés|abonnés|résidents|locuteurs|témoins|pèlerins',
    endings: '\\p{L}{2,}(?:eurs|euses|rices|istes|iens|iennes|ants|antes)',
    others: '(?:moteurs|ordinateurs|facteurs|secteurs|hauteurs|couleurs|valeurs|fleurs|heures|restaurants|plusieurs)',
    bare: "(?:d['’]entre (?:eux|elles)|sont morts|ont (?:péri|participé|voté|signé))",
  },
  es: {
    nouns:
      'personas|gente|hombres|mujeres|niñ[oa]s|soci[oa]s|miembros|habitantes|vecin[oa]s|alumn[oa]s|invitad[oa]s|soldados|emplead[oa]s|refugiad[oa]s|herid[oa]s|muert[oa]s|víctimas|familias|obrer[oa]s|ciudadan[oa]s|clientes|jóvenes|adult[oa]s|padres|voluntari[oa]s|abonad[oa]s|fieles|almas|testigos',
    endings: '\\p{L}{2,}(?:dores|doras|tores|toras|istas|antes|entes|sores|eros|eras)',
    others:
      '(?:ordenadores|motores|factores|sectores|tractores|componentes|puentes|enteros|primeros|primeras|carreras)',
    bare: '(?:de ell[oa]s|de los que|murieron|vinieron|participaron|viven|trabajan|trabajaron)',
  },
};

/** A part of all persons is no number of them: “half of all members”. */
const FRACTION = /^(?:half|demi)$/iu;

/** Characters behind a number in which the persons are sought. */
const MAX_BEHIND = 60;
/** Words between a number and the persons: "52 active members". */
const BETWEEN = String.raw`^[\s\u00a0](?:[\p{L}’'-]+\s){0,2}?`;

const compiled = new Map<string, { noun: RegExp; bare: RegExp }>();

function patternsOf(language: string): { noun: RegExp; bare: RegExp } | null {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return null;
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const { nouns, endings, others, bare } = grammar;
  const made = {
    noun: new RegExp(`${BETWEEN}(?!(?:${others})(?!\\p{L}))(?:${nouns}|${endings})(?!\\p{L})`, 'iu'),
    bare: new RegExp(`^\\s?(?:\\p{L}+ )?${bare}(?!\\p{L})`, 'iu'),
  };
  compiled.set(language, made);
  return made;
}

/** Returns whether a number in a text is one of persons; true in languages without a list of words for them. */
export function countsPersons(text: string, { end, text: number }: Value, language: string | null): boolean {
  const patterns = patternsOf(language ?? 'en');
  if (patterns === null) return true;
  if (FRACTION.test(number)) return false;
  const [behind = ''] = text.slice(end, end + MAX_BEHIND).split(/[,.;:!?()]/u, 1);
  return patterns.noun.test(behind) || patterns.bare.test(behind);
}
