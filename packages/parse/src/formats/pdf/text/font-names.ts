/** Derives styles from the names of fonts: many fonts, above all those of TeX, do not declare their style otherwise. */

/** Prefix of a font of which only some glyphs are embedded. */
const SUBSET = /^[A-Z]{6}\+/;
const BOLD =
  /bold|black|heavy|semib|demi|^(?:SF(?:BX|BI|SX|SI|XC)|CM(?:SS)?BX|CMB\d|CMSSDC|EC(?:BX|BI|SX|SO)|[TP]1XB|R?[TP]XB|NimbusRomNo9L-Medi)/i;
/** Names of regular fonts: programs that write a wrong stem width make all fonts look bold. */
const REGULAR =
  /-(?:Roman|Regular|Regu|Book|Light|Italic|Oblique)|^(?:Times|Helvetica|Courier)$|^(?:Arial|TimesNewRoman|CourierNew)(?:PS)?(?:MT)?$/i;
const ITALIC = /italic|oblique|^(?:SFTI|CMTI|CMMI|NimbusRomNo9L-.*Ital)/i;
const MONOSPACE = /courier|mono|consol|typewriter|menlo|^(?:CMTT|SFTT|NimbusMon)/i;

/** Returns the name of a font without the prefix that marks a subset: `CMR10` of `ABCDEF+CMR10`. */
export const withoutSubset = (name: string): string => name.replace(SUBSET, '');

export interface NamedStyle {
  bold: boolean;
  /** Whether the name says that the font is not bold. */
  regular: boolean;
  italic: boolean;
  monospace: boolean;
}

/** Returns the style that a name without a subset prefix says. */
export const styleOfName = (name: string): NamedStyle => ({
  bold: BOLD.test(name),
  regular: REGULAR.test(name) && !BOLD.test(name),
  italic: ITALIC.test(name),
  monospace: MONOSPACE.test(name),
});
