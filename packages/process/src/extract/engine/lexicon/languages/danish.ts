import type { ExtractionLanguage } from '../language.ts';

export const danish: ExtractionLanguage = {
  language: 'da',
  labels: {
    documentNumber: 'fakturanr',
    documentDate: 'udstedelsesdato | fakturadato',
    total: 'at betale',
    itemCode: 'artnr',
    customerName: 'kunde navn',
    companyNumber: 'cvr | cvr nr',
    phone: 'tlf',
    city: 'by',
    paymentTerms: 'betalingsbetingelser',
  },
  durations: {
    numbers: {
      en: 1,
      et: 1,
      to: 2,
      tre: 3,
      fire: 4,
      fem: 5,
      seks: 6,
      syv: 7,
      otte: 8,
      ni: 9,
      ti: 10,
      tolv: 12,
      fjorten: 14,
      atten: 18,
      tredive: 30,
    },
    units: {
      day: 'dag | dage',
      week: 'uge | uger',
      month: 'måned | måneder',
      year: 'år',
    },
  },
  companies: {
    legalForms: String.raw`a\/s | aps`,
    shortLegalForms: 'ApS | APS',
    particles: 'og',
  },
  streets: {
    words: 'vej',
  },
};
