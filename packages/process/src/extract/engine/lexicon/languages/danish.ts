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
  companies: {
    legalForms: String.raw`a\/s | aps`,
    shortLegalForms: 'ApS | APS',
    particles: 'og',
  },
  streets: {
    words: 'vej',
  },
};
