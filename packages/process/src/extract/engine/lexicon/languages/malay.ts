import type { ExtractionLanguage } from '../language.ts';

export const malay: ExtractionLanguage = {
  language: 'ms',
  labels: {},
  companies: {
    legalForms: String.raw`sdn\.?\s*bhd | s\/b | bhd`,
    businessWords: 'restoran',
  },
  streets: {
    words: 'jalan | jln | lorong | taman | tmn | kampung | persiaran',
    firstWords: 'jalan | jln',
  },
};
