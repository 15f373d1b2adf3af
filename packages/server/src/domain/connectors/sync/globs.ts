/**
 * Matches source paths with the globs of `include` and `exclude`: `*` and `?` within a segment, `**` for any number of
 * segments, `[a-z]` and `[!a-z]`, `{pdf,docx}`. Patterns run on RE2, so that no pattern takes more than linear time.
 */
import { RE2JS } from 're2js';

const SPECIAL = /[.+^$()|\\{}[\]]/g;

function escape(text: string): string {
  return text.replaceAll(SPECIAL, String.raw`\$&`);
}

interface Piece {
  source: string;
  /** Number of characters of the glob that the piece covers. */
  length: number;
}

function pieceAt(glob: string, at: number): Piece {
  const rest = glob.slice(at);
  if (rest.startsWith('**/')) return { source: '(?:[^/]*/)*', length: 3 };
  if (rest.startsWith('**')) return { source: '.*', length: 2 };
  if (rest.startsWith('*')) return { source: '[^/]*', length: 1 };
  if (rest.startsWith('?')) return { source: '[^/]', length: 1 };
  const set = /^\[(!?)([^\]/]+)\]/.exec(rest);
  if (set !== null) {
    const members = (set[2] ?? '').replaceAll(/[\\^[\]]/g, String.raw`\$&`);
    return { source: set[1] === '' ? `[${members}]` : `[^/${members}]`, length: set[0].length };
  }
  const choice = /^\{([^{}]*)\}/.exec(rest);
  if (choice !== null) {
    const branches = (choice[1] ?? '').split(',').map(sourceOf);
    return { source: `(?:${branches.join('|')})`, length: choice[0].length };
  }
  const [character = ''] = rest;
  return { source: escape(character), length: character.length };
}

function sourceOf(glob: string): string {
  let source = '';
  for (let at = 0; at < glob.length;) {
    const piece = pieceAt(glob, at);
    source += piece.source;
    at += piece.length;
  }
  return source;
}

/** Returns why the pattern is refused; undefined if it is valid. */
export function globProblem(glob: string): string | undefined {
  try {
    compileGlobs([glob]);
    return undefined;
  } catch {
    return 'the pattern is not a glob';
  }
}

/** Returns a function that returns whether a path matches one of the globs. */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => RE2JS.compile(`(?s)${sourceOf(glob.replace(/^\//, ''))}`));
  return (path) => patterns.some((pattern) => pattern.matches(path));
}
