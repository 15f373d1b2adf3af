/** Removes what a person says around a question: a greeting, a request for an answer, and thanks. */
import { withoutAllCapitals } from '@quire/text/language/all-capitals';

const GREETING = new RegExp(
  String.raw`^[\s¡]*(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear all|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|hola|buenos días|buenas tardes|ciao|buongiorno|olá|hoi)(?: (?:there|everyone|all|zusammen|à tous|a todos))?\s*[,.!;:]\s*`,
  'iu',
);

/** Requests by language; each ends before the question itself. */
const REQUESTS = [
  String.raw`(?:(?:can|could|would|will) (?:you|someone|anyone|anybody)(?: please| kindly)? (?:tell|explain|show|say|let)(?: to)?(?: me| us)?(?: know)?|(?:please )?(?:tell|explain to|show|remind)(?: me| us)|(?:i|we)(?: would|['’]d)? (?:like|want|need|have) to know|do you know|i(?: wonder| was wondering| am wondering|['’]m wondering)|(?:my|a|one|quick) question(?: is)?)(?: please)?`,
  String.raw`(?:(?:kannst du|können sie|könntest du|könnten sie|würden sie)(?: mir| uns)?(?: bitte)? (?:sagen|erklären|verraten|mitteilen)|(?:bitte )?(?:sag|sage|sagen sie|erklär|erkläre|erklären sie)(?: mir| uns)?(?: bitte)?|ich (?:möchte|will|würde)(?: gerne?)? wissen|weißt du|wissen sie|mich interessiert|(?:meine|eine) frage)(?: bitte)?`,
  String.raw`(?:(?:peux-tu|pouvez-vous|pourriez-vous|pourrais-tu) (?:me |nous |m['’])(?:dire|expliquer|indiquer)|(?:dis|dites|explique|expliquez)-(?:moi|nous)|je (?:voudrais|veux|aimerais|souhaite) savoir|sais-tu|savez-vous)(?: s['’]il (?:te|vous) plaît)?`,
  String.raw`(?:(?:me )?(?:puedes|puede|podrías|podría) (?:decir|explicar)(?:me|nos)?|(?:dime|dígame|explícame)|(?:quiero|quisiera|me gustaría) saber|sabes|sabe usted)(?: por favor)?`,
];
const REQUEST = new RegExp(String.raw`^[\s¿]*(?:${REQUESTS.join('|')})\s*[,:.]?\s+`, 'iu');
const PLEASE = /^\s*(?:please|bitte|s['’]il (?:te|vous) plaît|por favor)\s*[,:]?\s+/iu;
const THANKS =
  /(?:^|[\s,;:–-]{1,3})(?:please|thanks|thank you|many thanks|bitte|danke|vielen dank|s['’]il (?:te|vous) plaît|merci|por favor|gracias)(?: in advance| im voraus| d['’]avance)?[\s.!?]{0,5}$/iu;
/** Words that a question needs: what is left of "Hello, Oslo" or "tell me more" is none. */
const MIN_WORDS = 3;
const MAX_LENGTH = 1_000;

/**
 * Returns the question without a greeting, a polite request and thanks, and in small letters if all are capitals.
 * Texts that would have fewer than three words left stay as they are.
 */
export function plainQuestion(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const bare = [GREETING, PLEASE, REQUEST, PLEASE, THANKS].reduce((left, pattern) => left.replace(pattern, ''), text);
  const isQuestion = bare !== text && bare.trim().split(/\s+/u).length >= MIN_WORDS;
  return withoutAllCapitals(isQuestion ? capitalised(bare) : text);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
