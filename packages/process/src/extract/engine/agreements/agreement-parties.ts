/** Finds the parties of an agreement in its opening, on its title page, in its key terms or in the head of a letter. */
import { LANGUAGES } from '../lexicon/languages.ts';
import { alternatives } from '../lexicon/lexicon.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';
import { companiesIn } from '../parties/company-names.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import type { Place } from '../candidates/place.ts';
import { partiesNamedIn } from './named-parties.ts';
import { OPENING_SEGMENTS, OPENING_WORDS } from './opening.ts';

/** A full stop that ends a sentence, and not an initial or a legal form. */
const STOP = String.raw`(?<!(?<!\p{L})(?:\p{Lu}|Inc|INC|Ltd|LTD|Corp|Co|Pte|Pty|Pvt|St|Mr|Mrs|Ms|Dr|Jr|Sr|No|Ste|Ave|Blvd))\.\s+(?!(?:Inc|Ltd|LLC|Corp|Co)\b)(?:\p{Lu}\p{Ll}|\d)`;
const OPENING = new RegExp(String.raw`(?:${OPENING_WORDS})\s*:?`, 'gu');
/** The end of the list of parties: the end of the sentence, the recitals or the purpose. */
const LIST_END = new RegExp(
  String.raw`${STOP}|WHEREAS|WITNESSETH|RECITALS|\b(?:in connection|for the purpose|relating|concerning|regarding|with respect|in order|(?:hereby|mutually)\s+agree)\b`,
  'u',
);
const AND_LINE = new RegExp(`^(?:${alternatives(({ agreements }) => agreements?.and)}|&)$`, 'iu');
const MAX_LIST_LENGTH = 2_500;
const MAX_PARTIES = 12;
const MAX_NAME_LENGTH = 80;

/** Returns the parties named in an agreement's opening. */
export function partiesOfAgreement(document: SegmentedDocument, labelledTexts: readonly LabelledText[]): Place[] {
  const head = document.segments.slice(0, OPENING_SEGMENTS);
  const openings = head.flatMap((segment, at) => partiesOfOpening(segment, head[at + 1]));
  const sources = [
    () => openings.find((places) => places.length >= 2) ?? [],
    () => partiesOnLines(document),
    () => partiesByRole(labelledTexts),
    () => partiesFirst(head),
    () => definedParties(document),
    // A form may name only one of its parties.
    () => openings.find(([only]) => only !== undefined && only.score >= CLEAR) ?? [],
  ];
  for (const source of sources) {
    const found = distinct(source());
    if (found.length > 0) return found.slice(0, MAX_PARTIES);
  }
  return [];
}

/** Minimum score of a party that is named alone. */
const CLEAR = 0.8;

/** Drops names that were found before, also behind a word as in "Dear Acme Ltd". */
function distinct(places: readonly Place[]): Place[] {
  const known: string[] = [];
  return places.filter(({ segment, start, end }) => {
    const name = segment.text.slice(start, end).toLowerCase();
    const isNew = !known.some((one) => name === one || name.endsWith(` ${one}`));
    if (isNew) known.push(name);
    return isNew;
  });
}

/** Returns the parties after each opening of the segment; after a colon they may be in the next segment. */
function partiesOfOpening(segment: Segment, next: Segment | undefined): Place[][] {
  const text = segment.text.slice(0, 6_000);
  return [...text.matchAll(OPENING)].map((opening) => {
    const from = opening.index + opening[0].length;
    const rest = text.slice(from);
    if (rest.trim() === '' && next !== undefined) return namedIn(next, 0);
    return namedIn(segment, from + (/^\s*/u.exec(rest)?.[0].length ?? 0));
  });
}

function namedIn(segment: Segment, from: number): Place[] {
  const rest = segment.text.slice(from, from + MAX_LIST_LENGTH);
  const end = LIST_END.exec(rest)?.index ?? rest.length;
  return partiesNamedIn(segment.text, from, from + end).map((party) => ({ segment, ...party }));
}

const STATES_AGREEMENT = /\bagrees?\b/iu;

/** Finds parties at the start of a paragraph that says that they agree: `A Inc. ("A") and B Ltd ("B") agree`. */
function partiesFirst(head: readonly Segment[]): Place[] {
  for (const segment of head) {
    if (!STATES_AGREEMENT.test(segment.text)) continue;
    const found = namedIn(segment, 0);
    if (found.length >= 2 && found[0]?.start === 0) return found;
  }
  return [];
}

const ROLES = new Set(LANGUAGES.flatMap(({ agreements }) => phrasesIn(agreements?.roles)));
const ROLE_SCORE = 0.6;

/** Finds parties in a list of key terms, where the label is the role of the party. */
function partiesByRole(labelledTexts: readonly LabelledText[]): Place[] {
  const roles = new Set<string>();
  const found = labelledTexts.flatMap(({ words, segment, start, end }): Place[] => {
    const role = words.filter((word) => word !== 'the').join(' ');
    const text = segment.text.slice(start, end);
    const isName = /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) && text.length <= MAX_NAME_LENGTH;
    if (!ROLES.has(role) || roles.has(role) || !isName || segment.index > OPENING_SEGMENTS) return [];
    roles.add(role);
    const company = companiesIn(text).find((one) => one.start === 0);
    const length = company?.end ?? NAME_ENDS.exec(text)?.index ?? text.length;
    return [{ segment, start, end: start + length, score: ROLE_SCORE }];
  });
  return found.length >= 2 ? found : [];
}

const BETWEEN = new RegExp(String.raw`^(?:${alternatives(({ agreements }) => agreements?.between)})\s*:?$`, 'iu');
const NUMBERED = /^\(?(?:\d{1,2}|[A-Za-z])[).]\s+(?=\p{Lu})|^(?=\p{Lu})/u;
const NAME_ENDS = /\s*[,(;]|\s+(?:whose|of|incorporated|registered)\s|$/u;

/** Finds parties on lines of their own after a line that consists of "BETWEEN". */
function partiesOnLines({ segments }: SegmentedDocument): Place[] {
  const opening = segments.slice(0, OPENING_SEGMENTS).find(({ text }) => BETWEEN.test(text.trim()));
  if (opening === undefined) return [];
  const found: Place[] = [];
  const lines = segments.slice(opening.index + 1, opening.index + 1 + MAX_PARTIES);
  for (const [at, segment] of lines.entries()) {
    if (AND_LINE.test(segment.text.trim())) continue;
    const lead = NUMBERED.exec(segment.text);
    if (lead === null) break;
    const start = lead[0].length;
    const company = companiesIn(segment.text).find((one) => one.start === start);
    const length =
      company === undefined ? (NAME_ENDS.exec(segment.text.slice(start))?.index ?? 0) : company.end - start;
    const isJoined = [lines[at - 1], lines[at + 1]].some(
      (line) => line !== undefined && AND_LINE.test(line.text.trim()),
    );
    const isName = company !== undefined || lead[0] !== '' || isJoined;
    if (!isName || length < 4 || length > MAX_NAME_LENGTH) break;
    found.push({ segment, start, end: start + length, score: 0.7 });
  }
  return found.length >= 2 ? found : [];
}

/** A defined term after a name, as in `Acme Ltd (the "Company")`. Agreements give defined terms to their parties. */
const DEFINED = /^(?:,[^()]{0,80})?\s*\((?:the\s+|hereinafter\s+|as\s+|each,?\s+)*[“"«„]/u;
/** Number of segments at the start of a letter that name its sender and its addressee. */
const LETTERHEAD_SEGMENTS = 10;
/** Number of segments of a letter that define terms for its parties. */
const DEFINING_SEGMENTS = 15;

/** Finds the parties of an agreement in the form of a letter: its addressee and the company with a defined term. */
function definedParties({ segments }: SegmentedDocument): Place[] {
  const head = segments.slice(0, LETTERHEAD_SEGMENTS).flatMap((segment) => {
    const company = segment.text.length > 300 ? undefined : companiesIn(segment.text).find(({ start }) => start === 0);
    return company === undefined ? [] : [{ segment, ...company, score: 0.55 }];
  });
  const defined = segments.slice(0, DEFINING_SEGMENTS).flatMap((segment) =>
    companiesIn(segment.text.slice(0, 3_000))
      .filter(({ end }) => DEFINED.test(segment.text.slice(end)))
      .map((company): Place => ({ segment, ...company, score: 0.55 })),
  );
  const found = distinct([...head, ...defined]);
  return found.length === 2 ? found : [];
}
