/**
 * Rates how plausible a decoded sample is, to distinguish legacy encodings. Wrong decodings show rare characters,
 * scripts mixed within a word, or capitals after small letters.
 */

/** The most frequent characters of running text in each language; about half of any text. */
const COMMON_HAN =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运這個們來為國說時會對過發後經麼學當動還進樣開從實與長機將兩間問應戰頭體見產話給門東聲員論處義條氣題爾別變總電數報結務場計資許統區隊決馬書則聽達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶導爭運人年大日本会国者的事社自分生合地業方新場員立開手力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法';
const COMMON_HANGUL =
  '이다는의에을가하고지로기사한은도를자어인나시대아리해있그라서수정일스보부전제게지만구상주장원여조들성과적비동국선우것안무신공년화세오으연소마경계내소미당방모문교위개었했습니까요와';
/** Cyrillic, Greek, Hebrew, Arabic, Thai. */
const COMMON_LETTERS = [
  'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґў',
  'αοιετσνηυρπκμλςωδγχθφβξζψάέήίόύώ',
  'יוהלאבתרמשנדקםעחפכטגצןזסךףץ',
  'النميوةرتدبعهسفكحقجصشطأخذزإضغىئثءظؤآپچگیک،؟',
  'านรอกเงมยลวดทสตะปบคหแจพชขใไโผ่้ัีิ์ื็ำุู',
];
/** Non-ASCII letters of the languages in Latin script. A text uses one of these sets; a wrong decoding mixes them. */
const LATIN_LANGUAGES = [
  'éèàâçêëîïôùûüœæÿñ',
  'äöüßéà',
  'áéíóúñüç',
  'áâãàçéêíóôõúü',
  'àèéìíîòóùú',
  'åäöæøéáíóúýðþ',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýžäĺľôŕ',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'čćđšž',
  'çğıİöşüâî',
  'äöüõšž',
  'ëéèïöüáóê',
].map((letters) => new Set(letters + letters.toUpperCase()));
const PUNCTUATION = '’‘“”„–—…«»•°§©®€£№·¿¡™\u00a0、。，．！？：；「」『』（）《》・ー～…“”×';

const common = new Set(COMMON_HAN + COMMON_HANGUL + COMMON_LETTERS.join(''));
const punctuation = new Set(PUNCTUATION);
const WORD = /[\p{L}\p{M}]+/gu;

/** Returns the mean score of the non-ASCII characters, from about −3 (impossible) to 1; 0 if there are none. */
export function plausibility(text: string): number {
  let total = 0;
  let counted = 0;
  const latin: string[] = [];
  for (const character of text) {
    if (character.charCodeAt(0) < 0x80) continue;
    counted += 1;
    if (isLatinLetter(character)) latin.push(character);
    else total += characterScore(character);
  }
  if (counted === 0) return 0;
  total += latinScore(latin);
  for (const word of text.match(WORD) ?? []) total -= wordPenalty(word);
  return total / counted;
}

function isLatinLetter(character: string): boolean {
  const code = character.charCodeAt(0);
  return code >= 0xc0 && code < 0x250 && code !== 0xd7 && code !== 0xf7;
}

/** Scores 0.8 for each letter of the best matching language and 0.1 for the others. */
function latinScore(letters: readonly string[]): number {
  const covered = LATIN_LANGUAGES.map((language) => letters.filter((letter) => language.has(letter)).length);
  const best = Math.max(...covered);
  return best * 0.8 + (letters.length - best) * 0.1;
}

function characterScore(character: string): number {
  if (common.has(character)) return 1;
  const code = character.codePointAt(0) ?? 0;
  if (code === 0xfffd || (code >= 0x80 && code < 0xa0)) return -8;
  if (code >= 0x3040 && code <= 0x30ff) return 0.9;
  if (punctuation.has(character)) return 0.5;
  if (code >= 0xff61 && code <= 0xff9f) return -1;
  if (code >= 0xac00 && code <= 0xd7a3) return 0.2;
  if (code >= 0x4e00 && code <= 0x9fff) return 0;
  if (code >= 0xff00 && code <= 0xff60) return 0.3;
  if (/[\p{Co}\p{Cn}\p{Cc}]/u.test(character)) return -4;
  if (/\p{L}/u.test(character)) return 0.1;
  return -0.7;
}

/** Penalises mixed scripts in a word, capitals after small letters, and runs of accented letters. */
function wordPenalty(word: string): number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(word)) return 0;
  let penalty = 0;
  const latin = /\p{Script=Latin}/u.test(word);
  const other = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u.test(word);
  if (latin && other) penalty += word.length;
  for (const run of word.match(/\p{Ll}\p{Lu}/gu) ?? []) penalty += run.length / 2;
  for (const run of word.match(/[\u0080-\u024f]{3,}/gu) ?? []) penalty += run.length;
  return penalty;
}
