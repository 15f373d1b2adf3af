/** The languages that PP-OCR reads, by Tesseract's codes. It needs no language: all are in one model. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'afr aze bos cat ces cym dan deu eng est eus fil fin fra gle glg hrv hun ind isl ita kmr lat lav lit ltz mlt mri ' +
    'msa nld nor oci pol por que roh ron slk slv spa sqi srp_latn swa swe tgl tur uzb ' +
    'chi_sim chi_sim_vert chi_tra chi_tra_vert jpn jpn_vert'
  ).split(' '),
);

/** Tesseract's names of the scripts that it reads in any language setting. */
export const PP_OCR_SCRIPTS: readonly string[] = ['Latin', 'Han', 'HanS', 'HanT', 'Japanese', 'Hiragana', 'Katakana'];

export const readsLanguage = (language: string): boolean => LANGUAGES.has(language);
