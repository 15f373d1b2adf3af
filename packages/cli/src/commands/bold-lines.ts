/** Styles the lines of streamed Markdown that are bold as a whole, as the short answer before the sources is. */
export class BoldLines {
  readonly #bold: (text: string) => string;
  /** Beginning of a line that may be bold; shown once the line is complete. */
  #held = '';
  #isLineStart = true;

  constructor(bold: (text: string) => string) {
    this.#bold = bold;
  }

  /** Returns what can be shown of the text so far. */
  push(text: string): string {
    let shown = '';
    for (const part of text.split(/(?<=\n)/u)) {
      if (this.#held === '' && !(this.#isLineStart && part.startsWith('*'))) shown += part;
      else shown += this.#hold(part);
      this.#isLineStart = part.endsWith('\n') || (part === '' && this.#isLineStart);
    }
    return shown;
  }

  /** Returns what is held at the end of the text. */
  end(): string {
    const line = this.#held;
    this.#held = '';
    this.#isLineStart = true;
    const [, bold, end = ''] = /^\*\*([^*]+)\*\*(\n?)$/u.exec(line) ?? [];
    return bold === undefined ? line : `${this.#bold(bold)}${end}`;
  }

  #hold(part: string): string {
    this.#held += part;
    const isDecided = this.#held.endsWith('\n') || (this.#held.length > 1 && !this.#held.startsWith('**'));
    return isDecided ? this.end() : '';
  }
}
