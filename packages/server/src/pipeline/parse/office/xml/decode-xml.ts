import { TextDecoder } from 'node:util';

/** Bytes of an XML part to text: byte order mark, then the declaration, then UTF-8. */
export function* decodeXml(chunks: Iterable<Uint8Array>): Generator<string> {
  let decoder: TextDecoder | undefined;
  for (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder) yield decoder.decode();
}

function encodingOf(start: Uint8Array): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0 && third === 0x3f && fourth === 0)) {
    return 'utf-16le';
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f)) {
    return 'utf-16be';
  }
  const declaration = Buffer.from(start.subarray(0, 120)).toString('latin1');
  const label = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
