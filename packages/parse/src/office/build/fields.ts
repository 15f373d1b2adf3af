/**
 * Tracks Word's fields: begin, instruction, separator, displayed result, end. Fields may be nested and span paragraphs.
 */
interface OpenField {
  instruction: string;
  inResult: boolean;
  linked: boolean;
}

export class FieldStack {
  readonly #fields: OpenField[] = [];

  begin(): void {
    this.#fields.push({ instruction: '', inResult: false, linked: false });
  }

  instruct(text: string): void {
    const field = this.#fields.at(-1);
    if (field && !field.inResult) field.instruction += text;
  }

  /** Begins the result. Returns the address if the field is a hyperlink. */
  separate(): string | undefined {
    const field = this.#fields.at(-1);
    if (!field) return undefined;
    field.inResult = true;
    const address = hyperlinkAddress(field.instruction);
    field.linked = address !== undefined;
    return address;
  }

  /** Ends the field. Returns whether its result was a hyperlink. */
  end(): boolean {
    return this.#fields.pop()?.linked ?? false;
  }

  /** Returns whether the current text belongs to a hidden instruction. */
  get hidesText(): boolean {
    return this.#fields.some((field) => !field.inResult);
  }
}

/** Returns the address of a HYPERLINK instruction; undefined for other fields and links within the document. */
export function hyperlinkAddress(instruction: string): string | undefined {
  const match = /^\s*HYPERLINK\s+(?:"([^"]*)"|(\S+))/i.exec(instruction);
  const address = match?.[1] ?? match?.[2];
  return address === undefined || address.startsWith('\\') ? undefined : address;
}
