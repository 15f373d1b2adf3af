import type { ExtractionLanguage } from '../language.ts';

export const norwegian: ExtractionLanguage = {
  language: 'nb',
  labels: {
    dueDate: 'forfallodato | forfallsdato',
    tax: 'mva',
    itemCode: 'varenr',
    orderNumber: 'ordrenummer',
    paymentReference: 'kid',
  },
  durations: {
    numbers: {
      en: 1,
      ett: 1,
      to: 2,
      tre: 3,
      fire: 4,
      fem: 5,
      seks: 6,
      sju: 7,
      åtte: 8,
      ni: 9,
      ti: 10,
      tolv: 12,
      fjorten: 14,
      atten: 18,
      tretti: 30,
    },
    units: {
      day: 'dag | dager',
      week: 'uke | uker',
      month: 'måned | måneder',
      year: 'år',
    },
  },
  companies: {
    legalForms: 'asa',
    shortLegalForms: 'AS',
    particles: 'og',
  },
};
