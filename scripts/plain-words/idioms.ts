/**
 * Wordings that a reader new to the code stumbles over, each with the wording to use in its place. The list grows
 * whenever a reviewer stumbles; it points at suspects and does not replace rewriting a sentence by its meaning.
 */
export interface Idiom {
  /** Global pattern; matched against a comment or paragraph whose lines are joined by single spaces. */
  readonly pattern: RegExp;
  readonly suggestion: string;
}

/** Start of a text or of a sentence; list markers are removed before matching. */
const START = String.raw`(?<=^|[.!?;:] )`;
/** Rest of a sentence that is no question. Questions may begin with "What" or "Who". */
const NO_QUESTION = String.raw`(?![^.!;]*\?)`;

const opener = (words: string, suggestion: string): Idiom => ({
  pattern: new RegExp(`${START}(?:${words})\\b${NO_QUESTION}`, 'g'),
  suggestion,
});
const phrase = (words: string, suggestion: string): Idiom => ({
  pattern: new RegExp(`\\b(?:${words})\\b`, 'gi'),
  suggestion,
});

/** Apply to comments, prose and names of tests, and in part to messages. */
export const IDIOMS: readonly Idiom[] = [
  opener(String.raw`Of(?! course)(?! (?:the )?\d)`, 'begin with the subject: "For …", "Maximum …", "Property of …"'),
  opener('What', 'begin with the subject: "The parts that …", "Returns …"'),
  opener('Whoever|Whose|Who|Whatever|Whichever', 'name the component that acts'),
  opener('So (?:many|much|long|far|few|often)', '"Maximum number of …", "Duration of …, in ms"'),
  { pattern: /^By (?!default)/g, suggestion: '"Keyed by …", "Sorted by …"' },
  opener('Told|Asks|Asked', 'name the caller: "Called with …", "Queries …"'),

  phrase('passages?', 'chunk (search), paragraph (page layout)'),
  phrase('tells?(?! apart)|told|telling(?! apart)', 'reports, indicates, shows, states'),
  phrase('tells? apart|told apart|telling apart', 'distinguishes'),
  phrase('anew', 'again, from scratch'),
  phrase('nobody|somebody|whoever|whomever|everybody', 'name the component, client or user'),
  phrase('whatever', 'regardless of …, any …'),
  phrase('(?:is|are|was|were|be) (?:not )?to be', 'must be, is, will be'),
  phrase('to be had|be had', 'available'),
  phrase('no use', 'not useful, has no effect'),
  phrase('(?<!there )(?:is|are|be|was|were) no work', 'needs no …'),
  phrase('look(?:s|ed)? at', 'reads, checks, examines'),
  phrase('asks?|asked|asking', 'requests, queries, checks'),
  phrase('lies|lay|lain|lying', 'is stored, is located, is'),
  phrase('stands?|stood|standing(?! orders?)', 'is, is stored, represents, applies'),
  phrase('knows?|knew', 'supports, stores, has; "known" is fine'),
  phrase('owes?|owed|owing to', 'has pending …'),
  phrase('at hand|in hand', 'available, in progress'),
  phrase('in company|for company', 'concurrent'),
  phrase('sign of life|signs of life', 'heartbeat'),
  phrase('bears? out|borne out|bears? (?:it|them|that|this) out', 'supports'),
  phrase('sees? to|saw to', 'ensures'),
  phrase('goes on|go on|went on|going on', 'continues'),
  phrase('taken for|takes? for|takes? (?:it|them|that) for', 'treated as'),
  phrase('hears? of|heard of', 'is notified of'),
  phrase('wanted|wants', 'requested, needs'),
  phrase('and the like|or the like|the like(?! \\w)', 'and similar'),
  phrase('what becomes of|becomes of|what comes of|comes of', 'the result of'),
  phrase('for want of|in want of', 'without'),
  phrase('in vain', 'without result'),
  phrase('for good', 'permanently'),
  phrase('as it were|so to speak|needless to say', 'leave it out'),
  phrase('ever so|by and by|of late|of old', 'leave it out'),
  phrase('so long as', 'while, as long as'),
  phrase(
    'thereof|therein|thereby|thereto|wherein|whereof|whereby|hence|hitherto|whence|thence|lest|ere',
    'plain words',
  ),
  phrase('upon|unto|amidst|amongst|whilst|albeit|notwithstanding|henceforth|ought|shall', 'on, among, while, must'),
  phrase('save for|be it|were it|had it not', 'except, unless, if'),
  phrase('is said to|are said to', 'is, are'),
  phrase('keeps? company|makes? do|is rid of|be rid of|gets? rid of', 'removes'),
  phrase('as they came|as it came|as it comes|as they come', 'unchanged'),
  phrase('many a', 'many'),
];

/** Subset for literals of shipped code, where data, prompts and patterns hold ordinary words. */
export const MESSAGE_IDIOMS: readonly Idiom[] = [
  phrase('is not to be|are not to be|to be had|be had', 'is not available, must not be'),
  phrase('anew|nobody|whoever|whatever', 'again; name the component; any'),
  phrase('no use|at hand|in company|in hand', 'not useful; available; in progress'),
  phrase('(?:was|were|is|are) told|tells? (?:of|that|whether|which|how|what)', 'reports'),
  phrase('asked (?:for|to)|asks (?:for|to)', 'requested'),
];
