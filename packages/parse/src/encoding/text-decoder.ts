/**
 * Incremental text decoders. Node's own decoder reads windows-1252 wrongly, so use these where that encoding may occur.
 */

export interface PieceDecoder {
  decode(bytes: Uint8Array): string;
  /** Returns the text of incomplete bytes at the end of the input. */
  end(): string;
}

/** Returns an incremental decoder that never throws: undecodable bytes become U+FFFD. */
export function textDecoder(name: string): PieceDecoder {
  if (name.startsWith('utf-32')) return utf32Decoder(name === 'utf-32le');
  const decoder = new TextDecoder(name);
  const repair = name === 'windows-1252' ? repairWindows1252 : (text: string): string => text;
  return { decode: (bytes) => repair(decoder.decode(bytes, { stream: true })), end: () => repair(decoder.decode()) };
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Repairs quotation marks that became control characters, because Node decodes windows-1252 as ISO-8859-1 (nodejs/node
 * issue 56542).
 */
function repairWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}

function utf32Decoder(littleEndian: boolean): PieceDecoder {
  let rest: Uint8Array = new Uint8Array();
  return {
    decode: (bytes) => {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const view = new DataView(all.buffer, all.byteOffset, all.length);
      const whole = all.length - (all.length % 4);
      const parts: string[] = [];
      for (let offset = 0; offset < whole; offset += 4) {
        const code = view.getUint32(offset, littleEndian);
        parts.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
      }
      rest = Uint8Array.from(all.subarray(whole));
      return parts.join('');
    },
    end: () => (rest.length > 0 ? '\ufffd' : ''),
  };
}
