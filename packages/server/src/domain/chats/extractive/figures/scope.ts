/** Finds words of a question that narrow a figure: "intangible assets" are no "total assets". */
import { contentTerms } from '../question.ts';
import { analyse } from '../reading.ts';

/** Words around a figure that do not narrow it. */
const NEUTRAL =
  `total net amount value level figure number sum company business group firm year annual fiscal financial end
  quarter period date compared versus previous prior last report reported statement statements based data shown generate
  generated have record recorded post posted usd eur dollar dollars euro million millions thousand thousands billion billions
  between during since among historically any there much high large roughly overall see saw seen
  percentage percent rate yoy over amount absolute terms prozent prozentual rate
  wie hoch hohe groß summe gesamt betrag wert höhe jahr geschäftsjahr ende unternehmen konzern gesellschaft million millionen tausend mrd mio
  zwischen während gegenüber verglichen vorjahr zahlen bericht ausgewiesen betragen betrug lag
  montant valeur exercice année fin société groupe total million millions`.split(/\s+/u);

const neutral = new Map<string, ReadonlySet<string>>();

function neutralTerms(language: string | null): ReadonlySet<string> {
  const key = language ?? '';
  const known = neutral.get(key) ?? new Set(NEUTRAL.flatMap((word) => analyse(word, language)));
  neutral.set(key, known);
  return known;
}

/** Returns the terms of a question for the thing that it is about: no names, periods, judgements and neutral words. */
export const subjectTerms = (
  text: string,
  names: ReadonlySet<string>,
  judged: string,
  language: string | null,
): string[] => narrowingTerms(text, '', names, judged, language);

/**
 * Returns the content terms of a question that are neither in the label of a row, nor among the names of its document,
 * nor neutral. `judged` are the words of the question for a change or an order.
 */
export function narrowingTerms(
  text: string,
  label: string,
  names: ReadonlySet<string>,
  judged: string,
  language: string | null,
): string[] {
  const known = new Set([...analyse(label, language), ...analyse(judged, language), ...neutralTerms(language)]);
  return contentTerms(text, language).filter(
    (term) => !known.has(term) && !names.has(term) && !/^(?:fy|gj|[qh])?\p{Nd}*$/iu.test(term),
  );
}
