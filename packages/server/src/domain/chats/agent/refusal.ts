/**
 * Recognises the statement of a model that the documents hold no answer, in the languages that are analysed. Used to
 * decide whether a second request can help; readers see the model's own words.
 */

interface Wording {
  negations: readonly string[];
  /** Beginnings of the words for the documents and for what they lack. */
  matters: readonly string[];
}

const WORDINGS: readonly Wording[] = [
  {
    negations: ['not', 'no', 'none', 'nothing', 'cannot', 'neither', 'unable', 'without'],
    matters: ['document', 'passage', 'text', 'source', 'collection', 'context', 'information', 'mention', 'detail'],
  },
  {
    negations: ['nicht', 'kein', 'keine', 'keinen', 'keiner', 'keinem', 'keines', 'nichts', 'weder'],
    matters: ['dokument', 'passage', 'text', 'abschnitt', 'quelle', 'unterlage', 'sammlung', 'information', 'angabe'],
  },
  { negations: ['ne', 'pas', 'aucun', 'aucune', 'rien', 'ni'], matters: ['document', 'passage', 'texte', 'précis'] },
  {
    negations: ['no', 'ningún', 'ninguno', 'ninguna', 'nada', 'sin'],
    matters: ['documento', 'pasaje', 'texto', 'fuente', 'información', 'menciona'],
  },
  {
    negations: ['non', 'nessun', 'nessuno', 'nessuna', 'niente', 'senza'],
    matters: ['document', 'passo', 'passi', 'brani', 'testo', 'testi', 'fonti', 'informazion'],
  },
  {
    negations: ['não', 'nenhum', 'nenhuma', 'nada', 'sem'],
    matters: ['documento', 'trecho', 'texto', 'fonte', 'informaç'],
  },
  { negations: ['niet', 'geen', 'niets'], matters: ['document', 'passage', 'tekst', 'bron', 'informatie'] },
];
/** The same for languages without spaces between words. */
const DENSE_WORDINGS: readonly Wording[] = [
  { negations: ['没', '未', '不', '無'], matters: ['文档', '文件', '段落', '资料', '信息', '提及', '回答'] },
  { negations: ['ない', 'ません', 'なし'], matters: ['文書', '資料', '文章', '情報', '記載', '回答'] },
];
/** Longer texts state something else as well. */
const MAX_WORDS = 60;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Returns whether a text states, and says little beside it, that the documents hold no answer. */
export function isRefusal(text: string): boolean {
  // “doesn't” becomes “does not”.
  const words = text.toLowerCase().replaceAll('n’t', ' not').replaceAll("n't", ' not').match(WORDS) ?? [];
  if (words.length > MAX_WORDS) return false;
  return (
    WORDINGS.some(
      ({ negations, matters }) =>
        words.some((word) => negations.includes(word)) &&
        words.some((word) => matters.some((matter) => word.startsWith(matter))),
    ) ||
    DENSE_WORDINGS.some(
      ({ negations, matters }) =>
        negations.some((each) => text.includes(each)) && matters.some((each) => text.includes(each)),
    )
  );
}
