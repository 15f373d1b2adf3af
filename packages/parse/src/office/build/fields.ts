/** Word's fields: begin, instruction, separator, shown result, end; nested, and over paragraphs. */
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

  /** The result starts; answers the address when the field is a hyperlink. */
  separate(): string | undefined {
    const field = this.#fields.at(-1);
    if (!field) return undefined;
    field.inResult = true;
    const address = hyperlinkAddress(field.instruction);
    field.linked = address !== undefined;
    return address;
  }

  /** The field ends; answers whether its result was a hyperlink. */
  end(): boolean {
    return this.#fields.pop()?.linked ?? false;
  }

  /** Whether text is now part of an instruction and not shown. */
  get hidesText(): boolean {
    return this.#fields.some((field) => !field.inResult);
  }
}

/** The address of a HYPERLINK instruction; undefined for another field, or a jump within the document. */
export function hyperlinkAddress(instruction: string): string | undefined {
  const match = /^\s*HYPERLINK\s+(?:"([^"]*)"|(\S+))/i.exec(instruction);
  const address = match?.[1] ?? match?.[2];
  return address === undefined || address.startsWith('\\') ? undefined : address;
}
