/**
 * Opens the boxes (admonitions, tabs, directives) of documentation tools before parsing: their content is Markdown, and
 * their title, or else their kind, becomes a paragraph before it.
 *
 *     :::note Title … :::            Docusaurus, MyST, Pandoc
 *     !!! note "Title"               MkDocs, also ??? and === "Tab"; the content is indented
 *     ```{note} Title … ```          MyST; directives of code remain code
 *     {% highlight ruby %} … {% endhighlight %}   Jekyll: code
 */

/** Code fences, also in lists and quotes, in which boxes are not opened. */
const FENCE = /^((?:[ >]|(?:[-*+]|\d{1,9}[.)])(?= ))*)(`{3,}|~{3,})(.*)$/;
const COLONS = /^ {0,3}(:{3,})\s*(.*)$/;
const INDENTED = /^( *)(?:!!!|\?{3}\+?|={3})\s+(?=["\w])(.*)$/;
const HIGHLIGHT = /^\s*\{% *highlight +([\w+#.-]+)[^%]*%\}\s*$/;
const ANY = /^ *(?::::|!!!|\?\?\?|=== "|`{3,}\{|~{3,}\{|\{% *highlight)/m;
const INDENT = 4;
/** Options at the start of a directive. */
const OPTION = /^\s*:[\w-]+:|^---\s*$/;
/** Directives whose body is text; all others (toctree, eval-rst, mermaid, …) are kept unchanged. */
const TEXT_DIRECTIVES =
  /^\{(note|tip|hint|important|warning|caution|danger|error|attention|seealso|admonition|dropdown|versionadded|versionchanged|deprecated|todo|epigraph|margin|sidebar|topic|figure|card|tab-item|tab-set|grid-item-card)\}\s*(.*)$/;
const CODE_DIRECTIVES = /^\{(?:code-block|code|code-cell|sourcecode|literalinclude)\}\s*([\w+#.-]*)/;

/** Returns the source with all boxes opened, in linear time; text without boxes is returned unchanged. */
export function openDirectives(source: string): string {
  return ANY.test(source) ? new Directives(source.split('\n')).open() : source;
}

class Directives {
  readonly #lines: readonly string[];
  readonly #result: string[] = [];
  /** The open code fence, and the fences of open directives, innermost last. */
  #code: string | undefined;
  readonly #fences: string[] = [];
  /** Columns of the open indented boxes. */
  readonly #boxes: number[] = [];
  #inOptions = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  open(): string {
    for (const line of this.#lines) this.#line(this.#outdented(line));
    return this.#result.join('\n');
  }

  /** Removes the indentation of the boxes around the line and closes boxes that the line is outside of. */
  #outdented(line: string): string {
    if (line.trim() === '') return line.slice(INDENT * this.#boxes.length);
    const indent = line.length - line.trimStart().length;
    while (this.#boxes.length > 0 && indent < (this.#boxes.at(-1) ?? 0) + INDENT) {
      this.#boxes.pop();
      this.#code = undefined;
    }
    return line.slice(INDENT * this.#boxes.length);
  }

  #line(line: string): void {
    const fence = FENCE.exec(line);
    if (this.#inOptions && OPTION.test(line)) return;
    if (this.#code !== undefined) {
      this.#inOptions = false;
      const closes = fence?.[2]?.startsWith(this.#code) === true && fence[3]?.trim() === '';
      const ended = this.#code === '{%' && /^\s*\{% *endhighlight *%\}/.test(line);
      if (closes || ended) this.#code = undefined;
      this.#result.push(ended ? '```' : line);
    } else if (fence !== null) {
      this.#fence(line, fence[2] ?? '', fence[3]?.trim() ?? '', fence[1] ?? '');
    } else {
      this.#text(line);
    }
  }

  #fence(line: string, mark: string, info: string, before: string): void {
    const open = this.#fences.at(-1);
    if (info === '' && open !== undefined && open[0] === mark[0] && mark.length >= open.length) {
      this.#fences.pop();
      this.#result.push('');
      return;
    }
    const text = before.trim() === '' ? TEXT_DIRECTIVES.exec(info) : null;
    if (text !== null) {
      this.#fences.push(mark);
      this.#title(text[1] ?? '', text[2] ?? '');
      this.#inOptions = true;
      return;
    }
    this.#code = mark;
    const code = CODE_DIRECTIVES.exec(info);
    this.#inOptions = code !== null;
    this.#result.push(code === null ? line.replace(/\{math\}\s*$/, 'math') : `${before}${mark}${code[1] ?? ''}`);
  }

  #text(line: string): void {
    const colons = COLONS.exec(line);
    const indented = INDENTED.exec(line);
    const highlight = HIGHLIGHT.exec(line);
    this.#inOptions = false;
    if (colons !== null) {
      const [, kind = '', title = ''] = /^\{?\.?([\w-]*)[^\s[]*\s*(.*)$/.exec(colons[2] ?? '') ?? [];
      this.#inOptions = kind !== '' && colons[2]?.startsWith('{') === true;
      this.#title(kind, title);
    } else if (indented !== null) {
      this.#boxes.push(INDENT * this.#boxes.length + (indented[1] ?? '').length);
      const [, kind = '', title = ''] = /^([^"]*)(?:"(.*)")?/.exec(indented[2] ?? '') ?? [];
      this.#title(kind.trim().split(' ')[0] ?? '', title);
    } else if (highlight !== null) {
      this.#code = '{%';
      this.#result.push(`\`\`\`${highlight[1] ?? ''}`);
    } else {
      this.#result.push(line);
    }
  }

  #title(kind: string, title: string): void {
    const named = title
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\{[^{}]*\}$/, '')
      .trim();
    const shown = /^(?:figure|tab-set|div|[\w-]*(?:columns?|row|grid|container))$/.test(kind) ? '' : kind;
    const words = named !== '' ? named : shown.charAt(0).toUpperCase() + shown.slice(1);
    this.#result.push('', ...(words === '' ? [] : [words, '']));
  }
}
