/** Reads from a question's words which kind of value it expects. */
import type { Dimension } from './units.ts';

/** `count` is a number of things, `measure` a number with a unit. */
export type ExpectedKind = 'date' | 'count' | 'measure' | 'money' | 'person' | 'place' | 'yesNo';

type Patterns = Partial<Record<ExpectedKind, RegExp>>;

/** Whole words are written between `\b`; the first kind that matches counts. */
const PATTERNS: Readonly<Record<string, Patterns>> = {
  en: {
    money:
      /\bhow much (?:\w{1,30} ){0,4}?(?:cost|costs|pay|paid|pays|earn|earned|earns|charge|charged|price|spend|spent|worth|sold|sell|raise|raised)\b|\b(?:price|cost|salary|fee|revenue|turnover) of\b|\bwhat does .{1,80} cost\b|^\s*what (?:does|do|did) .{1,80} (?:cost|pay)\b|\b(?:what|which)(?:['’]s| is| was| are| were)? (?:the |my |its )?(?:\w{1,20} )?(?:fine|fee|fare|price|rent|deposit|salary|wage|toll|charge|penalty|sum|budget|income|amount of money) (?!of (?:two|three|the) )|\bfrom (?:what|which) amount\b|\bhow high (?:is|was|are) (?:the |my )?(?:\w{1,20} )?(?:fine|fee|rent|deposit|salary|toll|charge|penalty|price)s?\b/iu,
    date: /\bwhen\b|\b(?:what|which) (?:year|date|day|weekday|month|decade|century|time)s?\b/iu,
    count: /\bhow many\b|\bwhat (?:number|amount) of\b/iu,
    measure:
      /\bhow (?:much|long|far|old|tall|high|large|big|heavy|deep|wide|fast|thick|often|hot|cold)\b|\b(?:what|which) (?:percent\w*|share|rate|fraction|proportion|temperature|speed|height|length|weight|age|distance)\b|\bwhat(?:['’]s| is| was| are| were) (?:the |its |their )?(?:\p{L}{1,20} )?(?:percentage|share|proportion|temperature|speed|height|length|width|depth|weight|capacity|volume|distance|duration|notice period|voltage|diameter|wavelength)\b/iu,
    place:
      /\bwhere\b|\b(?:what|which) (?:city|country|state|town|village|place|county|province|continent|region|island)\b/iu,
    person: /\b(?:who|whom|whose)\b/iu,
    yesNo: /^\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|must|should)\b/iu,
  },
  de: {
    date: /\b(?:wann|seit wann|bis wann)\b|\bwelche[mnrs]? (?:jahr|(?:wochen)?tag|monat|datum|jahrhundert|uhrzeit|zeit)(?:en?)?\b|\bum wie ?viel uhr\b/iu,
    money:
      /\bwie ?viel (?:\p{L}{1,30} ){0,4}(?:kostet|kosten|zahlt|zahlte|bezahlt|verdient)\b|\bwas kosten?t?\b|\bwie teuer\b|\bwas (?:muss|müssen|zahlt|zahlen) (?:\p{L}{1,30} ){0,8}zahlen\b|\b(?:wie hoch ist|was ist|wie hoch sind) (?:der |die |das )?(?:\p{L}{0,30}(?:gebühr(?:en)?|preis|strafe|miete|pacht|beitrag|lohn|gehalt|kaution|buße|bußgeld|zuschuss))(?!\p{L})/iu,
    count: /\bwie ?viele\b/iu,
    measure:
      /\bwie (?:viel|lange?|weit|alt|hoch|groß|schwer|tief|breit|schnell|dick|oft|heiß|kalt)(?!\p{L})|\bwelche[rsnm]? (?:anteil|temperatur|höhe|länge|frist|kapazität|dauer|gewicht|leistung|geschwindigkeit|durchmesser)\b|\bwas (?:ist|war) (?:die|das|der) (?:gewicht|länge|höhe|breite|tiefe|kapazität|dauer|leistung|geschwindigkeit|temperatur|durchmesser)(?!\p{L})|\bwie (?:ist|war|hoch|groß|lang) (?:die|das|der) (?:gewicht|länge|höhe|breite|tiefe|kapazität|dauer|leistung|geschwindigkeit|temperatur|durchmesser)(?!\p{L})/iu,
    place: /\b(?:wo|wohin|woher)\b|\bwelche[mnrs]? (?:stadt|land|ort|staat|dorf|region|insel)\b/iu,
    person: /\b(?:wer|wen|wem|wessen)\b/iu,
    yesNo: /^\s*(?:ist|sind|war|waren|hat|haben|hatte|kann|können|wird|werden|darf|dürfen|muss|müssen|soll|gibt)\b/iu,
  },
  fr: {
    date: /\bquand\b|\bquel(?:le)?s? (?:année|date|jour|mois|siècle|heure)s?(?!\p{L})/iu,
    money:
      /\bcombien (?:\p{L}{1,30} ){0,4}(?:coûte|coûtent|paie|payer|payé|verser|gagne|reçu)(?!\p{L})|\bcombien d['’]argent\b|\bquel(?:le)? est l(?:e |a |['’])(?:prix|tarif|loyer|coût|montant|amende|salaire|cotisation|caution)(?!\p{L})/iu,
    count: /\bcombien d['’e](?! temps\b|argent\b)/iu,
    measure:
      /\bcombien\b|\bquel(?:le)?s? (?:(?:est|était|sont) l(?:e |a |es |['’]))?(?:pourcentage|part|taux|température|hauteur|longueur|largeur|profondeur|épaisseur|durée|âge|taille|distance|capacité|quantité|poids|masse|volume|puissance|vitesse|surface|superficie|diamètre|délai|préavis)(?!\p{L})/iu,
    place: /(?<!\p{L})où(?!\p{L})|\bquel(?:le)?s? (?:ville|pays|lieu|état|région|village|île)\b/iu,
    person: /(?:^|\s)qui\b/iu,
    yesNo: /^\s*(?:est-ce que?|est-ce qu['’])/iu,
  },
  es: {
    date: /\bcuándo\b|\bqué (?:año|fecha|día|mes|siglo|hora)(?!\p{L})/iu,
    money:
      /\bcuánto (?:\p{L}{1,30} ){0,4}(?:cuestan?|costaron|paga|pagar|pagan|vale|valen|gana|ganan)(?!\p{L})|\bcuánto (?:costó|pagó)(?!\p{L})|\b(?:qué|cuál es el) (?:precio|sueldo|alquiler|importe)(?!\p{L})/iu,
    count: /\bcuánt[oa]s\b|\bcuánta gente\b/iu,
    measure:
      /\bcuánt[oa]\b|\b(?:qué|cuál (?:es|era) (?:el|la)) (?:porcentaje|temperatura|altura|longitud|anchura|profundidad|edad|distancia|duración|capacidad|peso|volumen|velocidad|superficie|potencia|diámetro|plazo)\b/iu,
    place: /\b(?:a|de)?dónde\b|\bqué (?:ciudad|país|lugar|estado|región|pueblo|isla)\b/iu,
    person: /\bqui[eé]n(?:es)?\b/iu,
  },
  it: {
    date: /\bquando\b|\b(?:che|quale) (?:anno|data|giorno|mese|secolo)\b/iu,
    money: /\bquanto (?:costa|costano|paga)\b/iu,
    count: /\bquant[ie]\b/iu,
    measure: /\bquant[oa]\b/iu,
    place: /\bdove\b|\b(?:che|quale) (?:città|paese|luogo|stato|regione)(?!\p{L})/iu,
    person: /\bchi\b/iu,
  },
  pt: {
    date: /\bquando\b|\b(?:que|qual) (?:ano|data|dia|mês|século)\b/iu,
    money: /\bquanto (?:custa|custam|paga)\b/iu,
    count: /\bquant[oa]s\b/iu,
    measure: /\bquant[oa]\b/iu,
    place: /\b(?:a)?onde\b|\b(?:que|qual) (?:cidade|país|lugar|estado|região)\b/iu,
    person: /\bquem\b/iu,
  },
  nl: {
    date: /\bwanneer\b|\bwelke? (?:jaar|datum|dag|maand|eeuw)\b/iu,
    money: /\bwat kosten?t?\b|\bhoeveel (?:\p{L}{1,30} ){0,4}(?:kost|kosten|betaalt)\b/iu,
    count: /\bhoeveel\b/iu,
    measure: /\bhoe (?:lang|ver|oud|hoog|groot|zwaar|diep|breed|snel|vaak)\b/iu,
    place: /\bwaar\b|\bwelke? (?:stad|land|plaats|regio)\b/iu,
    person: /\bwie\b/iu,
  },
  zh: {
    date: /什么时候|何时|哪(?:一)?[年天月日]|几[年月日点]|什么时间/u,
    count: /多少[个位名人种家次条座]|几[个位名人种家次条座]/u,
    measure: /多[少大高长远重深宽久快]/u,
    place: /哪里|哪儿|何处|哪个(?:国家|城市|地方|省)|什么地方/u,
    person: /谁/u,
  },
  ja: {
    date: /いつ|何[年月日時]/u,
    count: /何[人個本枚回冊台か]|いくつ/u,
    measure: /どのくらい|どれくらい|いくら|何(?:メートル|キロ|パーセント|歳)/u,
    place: /どこ|どの(?:国|都市|町|県)/u,
    person: /誰|だれ/u,
  },
};

/** Number of characters of a question that are read; the patterns are not all of linear time. */
const MAX_QUESTION = 1_000;

/** Order in which kinds are tried: the more specific first. */
const ORDER: readonly ExpectedKind[] = ['money', 'date', 'count', 'measure', 'place', 'person', 'yesNo'];

/** Returns null if the question is about something else, such as a reason, or has no known question word. */
export function expectedKind(question: string, language: string | null): ExpectedKind | null {
  const patterns = PATTERNS[language ?? 'en'];
  const read = question.slice(0, MAX_QUESTION);
  if (patterns === undefined) return null;
  return ORDER.find((kind) => patterns[kind]?.test(withoutClause(read, language)) === true) ?? null;
}

/** A clause of time behind another question word: "How long am I paid when I am ill?" is for no time of it. */
const TIME_CLAUSES: Readonly<Record<string, RegExp>> = {
  en: /(?<=\b(?:who|whom|whose|what|which|why|how)\b(?! (?:(?:is|was) (?:the )?)?(?:year|date|day|time|month)).{1,200} )when\b/iu,
  fr: /(?<=(?<!\p{L})(?:qui|que|quel|quelle|pourquoi|comment|combien|où)(?!\p{L}).{1,200} )quand\b/iu,
};

const withoutClause = (question: string, language: string | null): string => {
  const clause = TIME_CLAUSES[language ?? 'en'];
  return clause === undefined ? question : question.replace(clause, '');
};

/** Question words for a place itself; a question with "which country" expects a name. */
const WHERE: Readonly<Record<string, RegExp>> = {
  en: /\bwhere\b/iu,
  de: /\b(?:wo|wohin|woher)\b/iu,
  fr: /(?<!\p{L})où(?!\p{L})/iu,
  es: /\b(?:a|de)?dónde\b/iu,
  it: /\bdove\b/iu,
  pt: /\ba?onde\b/iu,
  nl: /\bwaar\b/iu,
};

/** Returns whether the question has the kind of a place ("which country") in place of "where". */
export function isNamedPlace(question: string, language: string | null): boolean {
  const code = language ?? 'en';
  return expectedKind(question, language) === 'place' && WHERE[code]?.test(question) === false;
}

/** The words behind "how many", up to a verb; each has a group `things`. */
const COUNTED: Readonly<Record<string, RegExp>> = {
  en: /\bhow many (?<things>(?:(?!(?:do|does|did|are|is|were|was|have|has|had|can|could|will|would|in|of|at|on|to|by|for|from)\b)[\p{L}'’-]{1,30}\s?){1,3})/iu,
  de: /\bwie ?viele (?<things>(?:\p{L}{1,30}\s?){1})/iu,
  fr: /\bcombien d(?:e |['’])(?<things>\p{L}{1,30}(?: carrés)?)/iu,
  es: /\bcuánt[oa]s? (?<things>\p{L}{1,30}(?: cuadrados)?)/iu,
  it: /\bquant[ie] (?<things>\p{L}{1,30})/iu,
  pt: /\bquant[oa]s (?<things>\p{L}{1,30})/iu,
  nl: /\bhoeveel (?<things>\p{L}{1,30})/iu,
};

/** Returns the words for the things that the question counts; empty if it counts none. */
export const countedIn = (question: string, language: string | null): string =>
  COUNTED[language ?? 'en']?.exec(question.slice(0, MAX_QUESTION))?.groups?.['things'] ?? '';

/** Questions for a measure by dimension; "how long is" and "how high" have several, so they are left out. */
const DIMENSIONS: Readonly<Record<string, Partial<Record<Dimension, RegExp>>>> = {
  en: {
    mass: /\bhow heavy\b|\bhow much (?:\p{L}{1,30} ){0,6}weighs?\b|\b(?:what|which)(?: (?:is|was) (?:the|its))? (?:weight|mass)\b/iu,
    length:
      /\bhow (?:far|tall|deep|wide|thick)\b|\b(?:what|which)(?: (?:is|was) (?:the|its))? (?:height|length|depth|width|distance|diameter)\b/iu,
    time: /\bhow old\b|\bhow long (?:do|does|did|has|have|had|will|would|can|could|may|must|should)\b|\bwhat(?: (?:is|was) (?:the|its))? (?:age|duration|notice period)\b/iu,
    temperature: /\bhow (?:hot|cold)\b|\b(?:what|which)(?: (?:is|was) (?:the|its))? temperature\b/iu,
  },
  de: {
    mass: /\bwie schwer\b|\bwie ?viel (?:\p{L}{1,30} ){0,6}(?:wiegt|wiegen)\b|\b(?:welches|was (?:ist|war) das|wie (?:hoch|groß) (?:ist|war) das) gewicht\b/iu,
    length: /\bwie (?:weit|tief|breit|dick)\b/iu,
    time: /\bwie (?:alt|lange)\b/iu,
    temperature: /\bwie (?:heiß|kalt)(?!\p{L})|\bwelche[rn]? temperatur\b/iu,
  },
  fr: {
    mass: /\bcombien (?:\p{L}{1,30} ){0,4}(?:pèse|pèsent)\b|\bquel(?:le)?(?: (?:est|était) (?:le|la|son|sa))? (?:poids|masse)\b/iu,
    length:
      /\bquel(?:le)?(?: (?:est|était) (?:le|la|son|sa))? (?:hauteur|longueur|distance|largeur|profondeur|épaisseur|diamètre)\b/iu,
    time: /\bquel(?:le)?(?: (?:est|était) (?:le |la |l['’]|son |sa ))?\s?(?:âge|durée|délai|préavis)\b|\bcombien de temps\b/iu,
    temperature: /\bquelle température\b/iu,
  },
  es: {
    mass: /\bcuánto (?:\p{L}{1,30} ){0,4}pesan?\b|\b(?:qué|cuál (?:es|era) (?:el|su)) peso\b/iu,
    length: /\bqué (?:altura|longitud|distancia|anchura|profundidad)\b/iu,
    time: /\b(?:qué|cuál (?:es|era) (?:la|el|su)) (?:edad|duración|plazo)\b|\bcuánto (?:tiempo|dura|duró)\b/iu,
    temperature: /\bqué temperatura\b/iu,
  },
};

/** Returns the dimension of the measure that the question expects; null if it is unknown. */
export function dimensionIn(question: string, language: string | null): Dimension | null {
  const read = question.slice(0, MAX_QUESTION);
  const found = Object.entries(DIMENSIONS[language ?? 'en'] ?? {}).find(([, pattern]) => pattern.test(read));
  return (found?.[0] as Dimension | undefined) ?? null;
}
