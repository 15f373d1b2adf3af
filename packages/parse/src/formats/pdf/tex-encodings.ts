/**
 * The encodings of TeX's mathematical fonts (The TeXbook, appendix F), for files that do not say which characters
 * their glyphs stand for: PDFium then gives the bare codes, and a bracket reads as a quotation mark.
 */
import type { FontStyle } from '../../layout/page-content.ts';

/** One character a code, from 0; a space where there is none. Line breaks (10 and 13) never come this far. */
const EXTENSION = Array.from(
  '()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪ ⎝⎠⎜⎟⟨⟩⊔⊔∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐^^^~~~[]⌊⌋⌈⌉{}√√√√√ ⌈‖',
);
const SYMBOLS = Array.from(
  '−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽/↦∀∃¬∅ℜℑ⊤⊥ℵABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠',
);
const ITALICS = Array.from('ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρστυφχψωϵϑϖϱςϕ↼↽⇀⇁↩↪▹◃0123456789.,</>⋆∂');

/** The character of a bare code; undefined in fonts of other encodings. */
export function texCharacter(code: number, { name }: FontStyle): string | undefined {
  if (/CMEX|LMMathExtension/.test(name)) return EXTENSION[code];
  if (/CMB?SY|LMMathSymbols/.test(name)) return SYMBOLS[code];
  if (/CMMI|LMMathItalic/.test(name)) return ITALICS[code];
  return undefined;
}
