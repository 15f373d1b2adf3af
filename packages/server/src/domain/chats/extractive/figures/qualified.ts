/** Words for figures that statements do not state. */

/** Parts and variants of a company's figures, which its statements do not state. */
export const QUALIFIED =
  /\b(?:segments?|divisions?|regions?|domestic|international|categor(?:y|ies)|products?|adjusted|non-gaap|pro[- ]forma|comparable|organic|per (?!cent\b|year\b|annum\b)\w+|monthly|quarterly|guidance|expected|forecast)\b|\b(?:segment|sparte|bereich|region|bereinigt|(?:je|pro) (?!jahr|prozent)\p{L})|\b(?:secteur|par action|ajusté)/iu;
