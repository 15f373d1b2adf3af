/** Derives styles from the names of fonts: many fonts, above all those of TeX, do not declare their style otherwise. */

/** Prefix of a font of which only some glyphs are embedded. */
const SUBSET = /^[A-Z]{6}\+/;
const BOLD =
  /bold|black|heavy|semib|demi|^(?:SF(?:BX|BI|SX|SI|XC)|CM(?:SS)?BX|CMB\d|CMSSDC|EC(?:BX|BI|SX|SO)|[TP]1XB|R?[TP]XB|NimbusRomNo9L-Medi)/i;
const ITALIC = /italic|oblique|^(?:SFTI|CMTI|CMMI|NimbusRomNo9L-.*Ital)/i;
const MONOSPACE = /courier|mono|consol|typewriter|menlo|^(?:CMTT|SFTT|NimbusMon)/i;

export interface NamedStyle {
  bold: boolean;
  italic: boolean;
  monospace: boolean;
}

export function styleOfName(name: string): NamedStyle {
  const plain = name.replace(SUBSET, '');
  return { bold: BOLD.test(plain), italic: ITALIC.test(plain), monospace: MONOSPACE.test(plain) };
}
