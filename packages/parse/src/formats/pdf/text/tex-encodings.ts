/**
 * Encodings of TeX's math fonts (The TeXbook, appendix F), for files without a Unicode mapping. PDFium returns the raw
 * codes of such fonts, so a bracket would read as a quotation mark.
 */
import type { FontStyle } from '../../../layout/page/page-content.ts';

/** Characters by code, from 0; a space marks an unused code. Codes 10 and 13 are handled as line breaks earlier. */
const EXTENSION = Array.from(
  '()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪ ⎝⎠⎜⎟⟨⟩⊔⊔∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐^^^~~~[]⌊⌋⌈⌉{}√√√√√ ⌈‖',
);
const SYMBOLS = Array.from(
  '−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽/↦∀∃¬∅ℜℑ⊤⊥ℵABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠',
);
const ITALICS = Array.from('ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρστυφχψωϵϑϖϱςϕ↼↽⇀⇁↩↪▹◃0123456789.,</>⋆∂');

/** Returns the character for a raw code; undefined for fonts with other encodings. */
export function texCharacter(code: number, { name }: FontStyle): string | undefined {
  if (/CMEX|LMMathExtension/.test(name)) return EXTENSION[code];
  if (/CMB?SY|LMMathSymbols/.test(name)) return SYMBOLS[code];
  if (/CMMI|LMMathItalic/.test(name)) return ITALICS[code];
  return undefined;
}
