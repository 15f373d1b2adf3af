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
  companies: {
    legalForms: 'asa',
    shortLegalForms: 'AS',
    particles: 'og',
  },
};
