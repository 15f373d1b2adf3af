/** Splits text that arrives in pieces into lines, and lines into groups between blank lines. */

/**
 * Maximum length of a line in characters; longer lines are split at a space. One block of 200 MB would be copied in
 * memory many times.
 */
const MAX_LINE_LENGTH = 64 * 1024;

/** Splits pieces into lines without line breaks (LF, CRLF, CR, form feed, and Unicode separators). */
export class LineSplitter {
  private rest = '';

  push(piece: string): string[] {
    const text = this.rest + piece;
    // A CR at the end may be the first half of a CRLF.
    const usable = text.endsWith('\r') ? text.length - 1 : text.length;
    const whole = text.slice(0, usable).split(/\r\n|[\n\r\f\u0085\u2028\u2029]/);
    this.rest = (whole.pop() ?? '') + text.slice(usable);
    const begun = this.rest.length > MAX_LINE_LENGTH ? cutLongLine(this.rest) : [this.rest];
    this.rest = begun.pop() ?? '';
    return whole.flatMap((line) => (line.length > MAX_LINE_LENGTH ? cutLongLine(line) : [line])).concat(begun);
  }

  end(): string[] {
    const rest = this.rest.replace(/\r$/, '');
    this.rest = '';
    return rest === '' ? [] : [rest];
  }
}

function cutLongLine(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (line.length - start > MAX_LINE_LENGTH) {
    const limit = start + MAX_LINE_LENGTH;
    const space = line.lastIndexOf(' ', limit);
    let end = space > start + MAX_LINE_LENGTH / 2 ? space + 1 : limit;
    // Never splits a surrogate pair.
    if (/[\ud800-\udbff]/.test(line.charAt(end - 1))) end -= 1;
    parts.push(line.slice(start, end));
    start = end;
  }
  parts.push(line.slice(start));
  return parts;
}

/**
 * Maximum length of a group in characters: half of the line limit, so that the parts of a split line are never joined.
 */
const MAX_GROUP_LENGTH = MAX_LINE_LENGTH / 2;

/** Collects lines into groups separated by blank lines. Very long groups are split. */
export class LineGrouper {
  private group: string[] = [];
  private length = 0;

  push(lines: readonly string[]): string[][] {
    const finished: string[][] = [];
    for (const line of lines) {
      const blank = line.trim() === '';
      if (!blank) {
        this.group.push(line);
        this.length += line.length + 1;
      }
      if (blank || this.length > MAX_GROUP_LENGTH) finished.push(...this.end());
    }
    return finished;
  }

  end(): string[][] {
    const { group } = this;
    this.group = [];
    this.length = 0;
    return group.length > 0 ? [group] : [];
  }
}
