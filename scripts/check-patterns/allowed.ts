/**
 * Patterns without a proof of linear time, each with the reason why it cannot become slow. `recheck` decides nothing
 * about look-behind and many look-aheads, and runs out of time on long alternations and large counted repetitions.
 */
const BOUNDED_URL = 'The input is the base URL of a provider, at most 2,083 characters.';
const BASE64_OF_HASH = 'The input is the base64 text of a hash, at most 44 characters.';
const HEADER = 'The input is one response header, at most 16 kB, and each repetition is bounded.';
const MARKUP = 'The input is at most 2,500 characters of an answer (`MAX_MARKUP`).';
const AT_MOST_40 = 'The input is at most 40 characters around a full stop.';
const STARTS_ONCE =
  'The look-behind lets a match start only at the beginning of a run, so each run is read once; tried with 1 MB.';

export const ALLOWED: Readonly<Record<string, string>> = {
  [String.raw`/[${'`'}[~]|\\(?=[!-/:-@[-${'`'}{-~\n]|$)|\*(?!\s)|(?<!\s)\*|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu`]:
    'Every look-around reads one character, except `&(?=#?\\w+;)`, which stops at the next `&`.',
  [String.raw`/^(?:(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-=|:](?=[-=|:*_\s]*$)|\$\$|:(?=\s|::)|(?:!!!|\?{3}\+?|===)(?=\s)|\+(?=[-=:]+\+)|\{(?=%))|(\d{1,9})([.)](?=\s|$)))/`]:
    'Anchored at the start of a line; each alternative reads the line at most once.',
  [String.raw`/\$\$(?=[^$]*[^$\s])(?:(?!<br>)[^$${'`'}\n]){1,998}\$\$(?!\$)|\$(?![\s$])(?:(?!<br>)[^$${'`'}\n]){0,998}?[^\s$${'`'}\\]\$(?![\p{L}\p{N}$])/uy`]:
    'Sticky, and no repetition reads beyond the next dollar sign.',
  [String.raw`/\$(?!\s)[^\n${'`'}]*$/`]: 'The input is at most 1,010 characters.',
  [String.raw`/(?<!\\)\{(?=[^{}]*\}$)/`]: 'The look-ahead stops at the next brace, so the text is read twice at most.',
  [String.raw`/(?<![\w/])(?:\/|[A-Za-z]:\\)[^\s'"]+/g`]: 'Runs in the child process of the chat model.',
  'new RegExp in frequency.ts': 'Fixed words by language, on at most 2,000 characters of a sentence.',
  'new RegExp in persons.ts': 'Anchored at the start of at most 60 characters.',
  'new RegExp in word-piece.ts': 'One character class, or a run of its complement: no two ways to match.',
  [String.raw`/\/+$/`]: BOUNDED_URL,
  [String.raw`/(!\[[^\]\n]*\]\([^)\s]*\))/`]:
    "The input is one page of the provider's OCR answer, whose size the provider adapter limits.",
  [String.raw`/too (?:large to process|long|many tokens)|(?:maximum|max) context length|must have less than \d+ tokens/i`]:
    'Words of fixed length; the digits are followed by a space. `recheck` runs out of time.',
  [String.raw`/"message"\s*:\s*"((?:[^"\\]|\\.){1,300})/`]:
    'The repetition is bounded at 300 characters and `"message"` cannot overlap itself.',
  [String.raw`/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g`]:
    'The input is a file of the operator; `[^-]+` cannot cross the next `-----`.',
  [String.raw`/<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w.:-]+)/i`]: 'The input is the first 4,096 bytes of a file.',
  [String.raw`/\.(?!\d*$)([^. ]*)$/`]: 'The input is a file name, at most 255 characters.',
  [String.raw`/[. ]+$/`]: 'The input is a file name, at most 255 characters.',
  [String.raw`/[.!?…。！？\n]\s*$/u`]: 'The input is a chunk, at most 2,000 tokens, in which white space is collapsed.',
  [String.raw`/(?<!\s)(?:\s*\[\d+\])+/gu`]: STARTS_ONCE,
  [String.raw`/(?<!\s)\s*\[\d+\]/gu`]: STARTS_ONCE,
  'new RegExp in mark-reader.ts': STARTS_ONCE,
  [String.raw`/(?<![ \t])[ \t]*(?:[[【][\^\d\s,;&:†a-z]*[\]】]?)?$/iu`]:
    'A match starts only at the beginning of a run of spaces; the class inside the bracket excludes brackets.',
  [String.raw`/(?<=\s["'(“]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu`]:
    'The look-behind reads two characters; each run is read once.',
  [String.raw`/(?<![\p{L}'’-])[\p{L}'’-]*\p{Nd}[\p{L}\p{Nd}'’-]*/gu`]: STARTS_ONCE,
  [String.raw`/\(.*\)|,.*/u`]: 'The input is a document name of at most 255 characters, or a heading.',
  [String.raw`/(?<![.!?…])[.!?…]+["'”’»)\]]*\s+(?!\p{Ll})|[。！？｡．‼⁇]+[”’」』）】〉》\s]*|[।॥؟۔။។]+\s*|\n+/gu`]:
    STARTS_ONCE,
  [String.raw`/[\p{L}\p{M}\p{Nd}][\p{L}\p{M}\p{Nd}.-]*$/u`]: AT_MOST_40,
  [String.raw`/^["'“‘«„([¿¡]*(?!\p{Lu}\.)(\p{L}[\p{L}\p{M}'’-]*)/u`]: AT_MOST_40,
  [String.raw`/\p{Lu}\p{L}+\s$/u`]: AT_MOST_40,
  [String.raw`/^c_[0-9a-f]{32}_\d+(?:_r(\d+))?(?:_own)?$/`]: 'Anchored, of fixed shape. `recheck` may run out of time.',
  [String.raw`/=+$/`]: BASE64_OF_HASH,
  [String.raw`/"error"\s*:\s*"([\w.-]{1,60})"/`]:
    'A match starts only at the quoted word, and the runs of white space after it do not overlap.',
  [String.raw`/([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.){0,2000})"|([^\s,"]{1,2000}))/gi`]: HEADER,
  [String.raw`/<([^<>]{1,2000})>\s*;\s*rel="?canonical"?/i`]: HEADER,
  [String.raw`/^!\[([^\]\n]*)\](?:\[[^\]\n]*\])?(?![[(])/`]: MARKUP,
  [String.raw`/^\s*<?\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i`]: MARKUP,
  [String.raw`/^<|>.*$/g`]: MARKUP,
  [String.raw`/^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19})*)?$/`]:
    'Anchored; digits and separators do not overlap. `recheck` may run out of time.',
  'new RegExp in readable-documents.ts': 'One or two identifiers of fixed length.',
  'new RegExp in propose-fields.ts':
    'It runs in the browser on one cell of the own sample; each part begins differently.',
  'new RegExp in fold.ts': 'One character class.',
  'new RegExp in script.ts': 'One character class.',
  'new RegExp in tokenise.ts': 'Runs of letters joined by connectors, which are not letters: no two ways to match.',
  [String.raw`/(?<=\s["'“„«(]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu`]:
    'The look-behind reads two characters, and runs of letters do not overlap.',
  [String.raw`/^\s*(?:please )?(?:list|name|enumerate)\b|^\s*(?:which|what) (?:\p{Ll}+ ){0,3}?\p{Ll}{2,30}s (?:are|were|do|did|have|of)\b/iu`]:
    'Fixed words in at most 500 characters of a question (`MAX_QUESTION`). `recheck` runs out of time.',
  [String.raw`/^\s*(?:[Nn]enne|[Ll]iste)\b|^\s*[Ww]elche \p{Lu}\p{L}{2,40}(?:n|e|s|er) (?:sind|waren|haben|hat|von|gibt)\b/u`]:
    'Fixed words in at most 500 characters of a question (`MAX_QUESTION`). `recheck` runs out of time.',
  [String.raw`/\b(?:which|what)(?: of [^?]{1,40}?['’]s?)? (?:\p{Ll}+ ){0,2}?(?<noun>segments?|divisions?|regions?|countr(?:y|ies)|categor(?:y|ies)|products?|areas?|markets?|units?|channels?|brands?)\b|\b(?:largest|smallest|biggest|highest|lowest|best|worst|strongest|weakest)(?:[ -]performing)? (?<other>segment|division|region|country|category|product|area|market|unit|channel|brand)\b/iu`]:
    'Fixed words in at most 500 characters of a question (`MAX_QUESTION`). `recheck` runs out of time.',
  'new RegExp in description.ts': 'The input is a question of at most 400 characters (`MAX_LENGTH`).',
  'new RegExp in plan.ts': 'The input is a question of at most 500 characters (`MAX_LENGTH`).',
  [String.raw`/(?<!\p{L})(?:(?:à|au|aux|en|dans|de|du|des|vers|près)\s+(?:la\s+)?|[dl]['’])$/iu`]:
    'The input is at most 2,000 characters of a sentence; white space is read once behind each preposition.',
  [String.raw`/[\p{L}°%‰]+[²³23]?$/u`]: 'The input is the last 40 characters of a value (`MAX_UNIT`).',
  [String.raw`/\b(?:in|at|from|(?<!according )to|near|on|of|into|around|through|across|outside|inside|between|via)\s+(?:the\s+)?$/iu`]:
    'The input is at most 40 characters before a name (`MAX_BEFORE`).',
  'new RegExp in values.ts': 'The input is at most 2,000 characters of a sentence (`MAX_SENTENCE`).',
  'new RegExp in plain-question.ts':
    'alternatives of plain words at the start of at most 1,000 characters, without repetition of groups',
  'new RegExp in follow-up.ts': 'Fixed words, anchored or between look-arounds of one character.',
  'new RegExp in small-talk.ts':
    'Fixed words; at most 60 characters are read, or the pattern is anchored without repetition.',
  [String.raw`/(?<=\S\s+(?:["“(]\s*)?)\p{Lu}[\p{L}\p{Nd}'’-]+(?:\s\p{Lu}[\p{L}\p{Nd}'’-]+)*/gu`]:
    'The look-behind reads one run of white space before a capital letter, and runs do not overlap.',
  'new RegExp in answer-text.ts': 'The number of a citation between brackets, in the browser.',
  [String.raw`/([^,=]{1,100})="((?:[^"\\]|\\.)*)"/g`]:
    "The input is the service's own metrics, in the browser. `recheck` runs out of time.",
};

/** Files all of whose patterns read a text of bounded length, with the bound. Their patterns need no proof. */
export const BOUNDED: Readonly<Record<string, string>> = {
  'packages/server/src/domain/chats/extractive/new-values.ts':
    'Anchored at the start of a text, or on at most 40 characters before a value.',
  'packages/server/src/domain/chats/extractive/figures/definitions.ts': 'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/expected-kind.ts':
    'Read at most 1,000 characters of a question (`MAX_QUESTION`).',
  'packages/server/src/domain/chats/extractive/figures/qualified.ts': 'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/figures/reports-about.ts': 'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/figures/sought.ts': 'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/figures/figure-searches.ts':
    'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/figures/filing.ts':
    'Names are read from at most 500 characters of a question; the others are plain words without repetition.',
  'packages/server/src/domain/chats/extractive/figures/items.ts': 'Read at most 500 characters of a label.',
  'packages/server/src/domain/chats/extractive/figures/judgements.ts':
    'Read at most 500 characters of a question, or 2,000 of a quote.',
  'packages/server/src/domain/chats/extractive/figures/options.ts': 'Read at most 500 characters of a question.',
  'packages/server/src/domain/chats/extractive/figures/ratios.ts':
    'Read at most 500 characters of a question or label, or 2,000 of a quote.',
  'packages/server/src/domain/chats/extractive/periods.ts':
    'Each pattern is a list of words before a number; the input is a question or the header of a table.',
  'packages/server/src/domain/chats/extractive/question-form.ts':
    'A question of at most 500 characters (`MAX_QUESTION`), or a sentence of at most 2,000 (`MAX_SENTENCE`).',
  'packages/server/src/domain/chats/extractive/true-case.ts':
    'Runs of letters that do not overlap; the input is a question or one of at most 30 chunks.',
};
