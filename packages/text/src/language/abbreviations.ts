/**
 * Abbreviations that end in a full stop without ending a sentence, by language, in lower case and without full stops.
 * Single letters and letters joined by full stops (`U.S.`, `z.B.`) need no entry.
 */
const LISTS: Readonly<Record<string, string>> = {
  en: `mr mrs ms messrs dr prof rev hon gen col lt sgt cpl capt cmdr maj adm gov sen rep pres supt st mt ft sr jr esq phd
    inc ltd co corp bros llc dept univ assn assoc est etc al vs viz approx ca fig figs no nos vol vols ch chap sec sect
    art para pp ed eds rev trans cf ibid op cit ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues
    wed thu thur thurs fri sat sun min max avg brig lieut cdr comdr ens pvt pfc adjt insp det cllr
    atty pty mfg intl natl govt lit orig esp abbr fl`,
  de: `dr prof hr hrn fr dipl ing mag abs art nr nrn ziff bd bde hrsg vgl bzw usw etc ca evtl ggf inkl exkl zzgl abzgl
    geb gest verh str st sog vs max min std sek mio mrd tsd jh jhd jan feb apr aug sept sep okt nov dez mo di mi do sa
    anm abb tab kap aufl verl ebd lt gem zit tel bspw insb allg urspr versch gen gegr ehem eigtl wörtl lit engl frz
    lat griech dt`,
  fr: `m mm mme mmes mlle mlles dr pr prof me mgr st ste sts stes av bd boul art chap vol fig no nos etc env cf ed éd coll
    janv févr avr juil sept oct nov déc tél réf p pp av apr`,
  es: `sr sra sres sras srta dr dra prof profa d dña ud uds vd vds lic ing gral cap art arts núm núms nº vol fig pág págs
    etc aprox av avda tel ej ee uu ene feb mar abr jun jul ago sept oct nov dic`,
  it: `sig sigg sigra dott dr prof avv ing arch on mons gen col cap art artt fig vol pag pagg ecc ca cfr nr tel gen feb mar
    apr mag giu lug ago sett ott nov dic`,
  pt: `sr sra srs sras dr dra prof profa exmo exma eng art arts fig vol pág págs etc aprox av tel núm jan fev mar abr mai
    jun jul ago set out nov dez`,
  nl: `dhr mevr mw dr drs prof ir ing mr ds st nr art blz fig enz bijv resp ca incl excl vgl jan feb mrt apr jun jul aug
    sep sept okt nov dec`,
  sv: `dr prof hr fr kl ca st nr sid kap bl dvs osv tex jan febr apr aug sept okt nov dec`,
  da: `dr prof hr fr kl ca nr sct stk kap bl dvs osv jan febr apr aug sept okt nov dec`,
  no: `dr prof hr fr kl ca nr st kap bl dvs osv jan febr apr aug sept okt nov des`,
  fi: `tri prof hra rva klo nro esim ns mm jne yms puh v vrt`,
  ru: `гр проф акад св ул пр просп пл пер стр рис табл гл см ср напр им тов гос обл р-н`,
  uk: `гр проф акад св вул просп пл стор рис табл гл див напр ім обл`,
  pl: `dr prof mgr inż hab ks św ul al pl nr str rys tab rozdz np tzn tzw itd itp ok im gen płk kpt tel ur zm`,
  cs: `dr prof mgr ing doc sv ul nám č str obr tab kap např tzv tj atd apod cca r nar zem tel`,
  hu: `dr prof ifj özv pl stb ún kb vö u o sz old`,
  ro: `dr prof dl dna ing sf str nr art fig pag vol etc aprox`,
  tr: `dr prof doç yrd sn av sok cad mah no bkz vb vs yy örn`,
  id: `dr prof ir drs h hj jl no hlm dll dsb dkk tgl`,
  el: `δρ κ κα καθ αρ σελ εικ κεφ π.χ βλ κτλ κλπ`,
  hi: `डॉ डा प्रो श्री सं`,
};

const ABBREVIATIONS = new Map(
  Object.entries(LISTS).map(([language, list]) => [language, new Set(list.split(/\s+/u))] as const),
);

/** Abbreviations that an explanation or a second party follows: they end no sentence even before a function word. */
const NEVER_LAST: ReadonlySet<string> = new Set(
  'eg ie vs viz cf zb dh bzw vgl ca approx pex pej cfr bijv dvs esim np tzn например'.split(' '),
);

/** Returns whether a word without its final full stop is an abbreviation of the language; null means English. */
export function isAbbreviation(word: string, language: string | null): boolean {
  const plain = withoutStops(word);
  return NEVER_LAST.has(plain) || (ABBREVIATIONS.get(language ?? 'en') ?? ABBREVIATIONS.get('en'))?.has(plain) === true;
}

/** Returns whether text of the same sentence always follows the abbreviation, as after `e.g.` */
export const isNeverLast = (word: string): boolean => NEVER_LAST.has(withoutStops(word));

const withoutStops = (word: string): string => word.toLowerCase().replaceAll('.', '');
