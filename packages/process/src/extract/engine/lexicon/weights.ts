/** The weights of labels by how clearly they name their concept, 0..1. */
export const LABEL_WEIGHTS = { labels: 1, generalLabels: 0.93, weakLabels: 0.72 } as const;

/** Factor for a word that differs from the expected one by one letter. */
export const SIMILAR_WORD_WEIGHT = 0.85;
