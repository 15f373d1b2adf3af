import type { ExtractionLanguage } from '../language.ts';

export const hungarian: ExtractionLanguage = {
  language: 'hu',
  labels: {
    documentNumber: 'szamla sorszama',
    documentDate: 'szamla kelte',
    tax: 'afa',
    quantity: 'mennyiseg',
    description: 'megnevezes',
    taxId: 'adoszam',
  },
  companies: {
    legalForms: 'kft | zrt',
    shortLegalForms: 'Kft | KFT | Zrt | ZRT',
  },
};
