import { StringDecoder } from 'node:string_decoder';
import { TextDecoder } from 'node:util';
import { textDecoder } from '../../encoding/text-decoder.ts';

/**
 * Decodes the bytes of an XML part. The encoding follows from the byte order mark, else the declaration, else it is
 * UTF-8.
 */
export function* decodeXml(chunks: Iterable<Uint8Array>): Generator<string> {
  let decode: ((chunk?: Uint8Array) => string) | undefined;
  for (const chunk of chunks) {
    decode ??= decoderOf(encodingOf(chunk));
    yield decode(chunk);
  }
  if (decode) yield decode();
}

/** Returns an incremental decoder; called without a chunk, it returns the rest at the end. */
function decoderOf(encoding: string): (chunk?: Uint8Array) => string {
  if (encoding !== 'utf-8') {
    const decoder = textDecoder(encoding);
    return (chunk) => (chunk ? decoder.decode(chunk) : decoder.end());
  }
  // Takes half the time of TextDecoder for small parts, which are the majority.
  const decoder = new StringDecoder('utf8');
  let started = false;
  return (chunk) => {
    const text = chunk ? decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)) : decoder.end();
    if (started) return text;
    started = text !== '';
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  };
}

function encodingOf(start: Uint8Array): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0 && third === 0x3f && fourth === 0)) {
    return 'utf-16le';
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c && third === 0 && fourth === 0x3f)) {
    return 'utf-16be';
  }
  const declaration = Buffer.from(start.buffer, start.byteOffset, Math.min(120, start.byteLength)).toString('latin1');
  const label = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(label)) return 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
