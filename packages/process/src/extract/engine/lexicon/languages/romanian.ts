import type { ExtractionLanguage } from '../language.ts';

export const romanian: ExtractionLanguage = {
  language: 'ro',
  labels: {
    taxId: 'cui',
  },
};
