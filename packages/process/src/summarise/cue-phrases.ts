/**
 * Phrases with which authors announce a contribution, result or conclusion (Edmundson, New Methods in Automatic
 * Extracting, 1969). Sentences of other languages are scored without cues.
 */
const CUES: Readonly<Record<string, RegExp>> = {
  en: /\b(?:in (?:conclusion|summary|short|this (?:paper|article|report|work|study))|to (?:conclude|summari[sz]e)|we (?:propose|present|introduce|show|find|conclude|recommend|decided)|this (?:paper|article|report|work|study) (?:presents?|proposes?|describes?|shows?)|the (?:results?|findings?) (?:show|suggest|indicate)|overall|importantly|as a result|the (?:main|key|most important))\b/i,
  de: /\b(?:zusammenfassend|insgesamt|im ergebnis|wir (?:zeigen|schlagen|stellen|empfehlen|haben beschlossen)|diese (?:arbeit|studie)|dieser (?:bericht|beitrag)|die ergebnisse zeigen|wesentlich|entscheidend)(?![\p{L}])/iu,
  fr: /\b(?:en (?:conclusion|résumé|somme)|nous (?:proposons|présentons|montrons|concluons|recommandons)|cet (?:article|rapport)|cette étude|les résultats (?:montrent|indiquent)|l’essentiel|globalement)(?![\p{L}])/iu,
  es: /\b(?:en (?:conclusión|resumen)|proponemos|presentamos|mostramos|concluimos|recomendamos|este (?:artículo|informe|trabajo|estudio)|los resultados (?:muestran|indican)|lo más importante)(?![\p{L}])/iu,
};

export const hasCue = (sentence: string, language: string | null): boolean =>
  CUES[language ?? '']?.test(sentence) === true;
