/** Finds the title of a document, by which queries name it if its file name says nothing. */
import type { Block, DocumentTree } from '@quire/blocks/block';
import { walkBlocks } from '@quire/blocks/walk';

const MAX_TITLE_CHARACTERS = 150;
/** Number of blocks at the start among which a heading is the title. */
const HEADING_BLOCKS = 4;
const MAX_TITLE_WORDS = 15;
const SENTENCE_END = /[.!?:;,。！？،؟।]["'”’»)\]]*$/u;
/**
 * Capitalised words with which a text begins, and what shows that they are its subject: a verb of definition, a
 * parenthesis or a comma ("Ada Lovelace (1815–1852) was").
 */
const SUBJECT =
  /^(?:(?:The|Der|Die|Das|Le|La|Les|El|Los|Il|Lo|O|A|An|De|Het)\s)?(?<subject>\p{Lu}[\p{L}\p{Nd}'’.-]{0,40}(?:\s(?:(?:of|the|and|de|du|des|la|von|van|der|di|da|&)\s)?[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’.-]{0,40}){0,7})(?=\s?[(,]|\s(?:is|was|are|were|ist|war|sind|est|était|sont|es|era|fue|son|è|é|foi)\s)/u;
const MAX_SUBJECT_CHARACTERS = 400;
/** Shorter words with which a sentence begins are pronouns. */
const MIN_SUBJECT_CHARACTERS = 4;

/**
 * Returns the title that the file states, else the heading at its start, else a short first line that other text
 * follows, else the name with which its first sentence begins. Returns null if there is none.
 */
export function documentTitle({ title, blocks }: Pick<DocumentTree, 'title' | 'blocks'>): string | null {
  if (title !== null && /\p{L}/u.test(title)) return cut(title);
  const first = firstBlocks(blocks);
  const heading = first.find(({ type }) => type === 'heading');
  if (heading !== undefined) return cut(heading.text ?? '');
  const [line = '', ...otherLines] = (first[0]?.text ?? '').trim().split('\n');
  const isFollowed = first.length > 1 || otherLines.length > 0;
  return isFollowed && isTitleLine(line) ? cut(line) : subjectOf(line);
}

function firstBlocks(blocks: readonly Block[]): Block[] {
  const found: Block[] = [];
  for (const block of walkBlocks(blocks)) {
    if ((block.text ?? '').trim() !== '') found.push(block);
    if (found.length === HEADING_BLOCKS) break;
  }
  return found;
}

/** Returns whether a line reads like a title: few words without a final punctuation mark. */
export function isTitleLine(line: string): boolean {
  const text = line.trim();
  if (text.length > MAX_TITLE_CHARACTERS || !/\p{L}{2}/u.test(text)) return false;
  return !SENTENCE_END.test(text) && text.split(/\s+/u).length <= MAX_TITLE_WORDS;
}

function subjectOf(line: string): string | null {
  const start = line.slice(0, MAX_SUBJECT_CHARACTERS);
  const subject = SUBJECT.exec(start)?.groups?.['subject'];
  return subject !== undefined && subject.length >= MIN_SUBJECT_CHARACTERS ? subject : null;
}

const cut = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_TITLE_CHARACTERS);
