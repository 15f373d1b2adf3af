/** Words of numbers, units and times in each language, from which the patterns of values are made. */
import { AREA_UNITS } from './units.ts';

/** Words for no price. */
export const FREE: Readonly<Record<string, string>> = {
  en: 'free of charge|for free|(?:is|are|was|were) free(?! (?:to|from|of))|free (?:entry|admission)|no charge|at no cost',
  de: 'kostenlos(?:e[nmrs]?)?|kostenfrei(?:e[nmrs]?)?|gratis|unentgeltlich',
  fr: 'gratuit(?:e?s?|ement)',
  es: 'gratis|gratuit[oa]s?',
  it: 'gratis|gratuit[aeio]',
  pt: 'grátis|gratuit[oa]s?',
  nl: 'gratis|kosteloos',
};
const GERMAN_ONES = 'ein zwei drei vier fünf sechs sieben acht neun';
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig';

/** German numbers are one word: "fünfundzwanzig", "zweihundert". */
const germanCompounds = GERMAN_ONES.split(' ').flatMap((one) => [
  ...GERMAN_TENS.split(' ').map((ten) => `${one}und${ten}`),
  `${one}hundert`,
  `${one}tausend`,
]);
export const NUMBER_WORDS: Readonly<Record<string, string>> = {
  en: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half dozen',
  de: `zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn
      neunzehn ${GERMAN_TENS} hundert tausend million millionen dutzend ${germanCompounds.join(' ')}`,
  fr: `deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante
      cinquante soixante cent cents mille million millions dizaine dizaines douzaine quinzaine vingtaine trentaine
      quarantaine cinquantaine soixantaine centaine centaines millier milliers`,
  es: `dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho
      diecinueve veinte veintiuno veintidós veinticinco treinta cuarenta cincuenta sesenta setenta ochenta noventa cien
      ciento doscientos trescientos quinientos mil millón millones decena decenas docena docenas centenar centenares`,
  it: `due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette
      diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille milione milioni`,
  pt: `dois duas três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezesseis dezassete
      dezessete dezoito dezanove dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem mil milhão
      milhões`,
  nl: `twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien
      negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen`,
};
/** Names of money beyond those of today's currencies, by language. */
export const MONEY_NAMES: Readonly<Record<string, string>> = {
  en: 'pence penny cent cents crown crowns kroner guilder guilders thaler thalers franc francs shilling shillings øre',
  de: 'Cent Krone Kronen Gulden Taler Talern Mark Pfennig Pfennige Rappen',
  fr: 'centime centimes couronne couronnes florin florins franc francs',
  es: 'céntimo céntimos peseta pesetas real reales corona coronas peso pesos',
};
/** Sums in periods of pay behind a number, as patterns: "two months' rent", "zwei Monatsmieten". */
export const PERIODS_OF_PAY: Readonly<Record<string, string>> = {
  en: "(?:(?:months?|weeks?|years?)['’]s?|monthly|weekly|annual|yearly) (?:net |gross |basic )?(?:rents?|pay|salary|salaries|wages?|fees?|payments?|instal(?:l)?ments?)",
  de: '(?:Netto|Brutto|Kalt|Warm)?(?:Tages|Wochen|Monats|Jahres)(?:netto|brutto|kalt|warm)?(?:miete|gehalt|gehälter|lohn|löhne|rate|beitrag|beiträge|satz|sätze|pacht)(?:e?n)?',
  fr: '(?:jours|semaines|mois|années|ans) de (?:loyers?|salaires?|traitements?)|mensualités?',
  es: '(?:días|semanas|meses|años) de (?:alquiler|renta|sueldo|salario)|mensualidad(?:es)?',
};
/** Articles that are also the number one: numbers before a unit ("eine Woche"), not before other nouns. */
export const ARTICLES: Readonly<Record<string, string>> = {
  de: 'ein eine einen einer einem',
  fr: 'un une',
  es: 'un una',
  it: 'un una',
  pt: 'um uma',
  nl: 'een',
};
/** Units that are measured with a number before them, in the languages of CLDR. */
export const UNIT_NAMES = [
  'acre bit byte celsius centimeter day degree fahrenheit foot gallon gigabyte gram hectare hour inch kilobyte kilogram',
  'kilometer liter megabyte meter mile millimeter minute month ounce percent pound second stone terabyte week yard year',
]
  .join(' ')
  .split(' ');
export const EXTRA_UNITS = [
  ...AREA_UNITS,
  '°C',
  '°F',
  '°',
  '%',
  '‰',
  'vom Hundert',
  'v. H.',
  'v.H.',
  'kg',
  'kilo',
  'kilos',
  'mph',
  'hp',
  'kW',
  'MW',
  'V',
  'A',
  'W',
  'Hz',
];

/** Words before a time of day: "at eight", "from nine to five". */
export const BEFORE_TIME: Readonly<Record<string, string>> = {
  en: 'at|from|until|till|by|before|after|since|between',
  de: 'um|ab|bis|von|vor|nach|seit|zwischen',
  fr: 'à|dès|avant|après|depuis|entre',
  es: 'a las?|desde|hasta|antes de las?|entre',
  it: 'alle|dalle|entro|fino alle|dopo',
  pt: 'às|desde|até|antes das',
  nl: 'om|vanaf|tot|voor|na|sinds|tussen',
};

/** Words before a period that says when something happens: "within 14 days", "nach zwei Wochen". */
export const BEFORE_PERIOD: Readonly<Record<string, string>> = {
  en: 'within|after|in|every|at least|no later than|not later than',
  de: 'innerhalb von|innerhalb|binnen|nach|in|alle|spätestens|mindestens',
  fr: 'sous|dans les|dans un délai de|après|au bout de|tous les|toutes les|au moins',
  es: 'dentro de(?: los)?|en un plazo de|tras|cada|al menos|después de|a los',
  it: 'entro|dopo|ogni|almeno',
  pt: 'dentro de|após|cada|pelo menos|no prazo de',
  nl: 'binnen|na|elke|minstens',
};

/** Names of times of day, and of days of a month or year: "the first working day of each month". */
export const NAMED_TIMES: Readonly<Record<string, string>> = {
  en: 'noon|midday|midnight|(?:first|second|third|fourth|last) (?:working |business |calendar )?day of (?:the|each|every|a) (?:month|quarter|year|week)|(?:end|beginning|start) of (?:the|each|every|a) (?:calendar )?(?:month|quarter|year|week|day)',
  de: 'Mittag|mittags|Mitternacht|(?:ersten|letzten) (?:Werktag|Arbeitstag|Banktag|Tag)e?s? (?:des|jedes|eines) (?:Monats|Quartals|Jahres)|(?:Monats|Quartals|Jahres)(?:ende|anfang|beginn|schluss)|(?:Ende|Anfang|Beginn) (?:des|jedes|eines) (?:Monats|Quartals|Jahres)',
  fr: 'midi|minuit|(?:premier|dernier) (?:jour )?(?:ouvré |ouvrable )?(?:de chaque|du) (?:mois|trimestre)|(?:fin|début) (?:du|de chaque) (?:mois|trimestre)',
  es: 'mediodía|medianoche|(?:primer|último) día (?:hábil )?(?:de cada|del) (?:mes|trimestre|año)|(?:fin|finales|principios) (?:del|de cada) (?:mes|trimestre|año)',
  it: 'mezzogiorno|mezzanotte',
  pt: 'meio-dia|meia-noite',
  nl: 'middernacht',
};
