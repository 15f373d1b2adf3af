import type { ExtractionLanguage } from '../language.ts';

export const swedish: ExtractionLanguage = {
  language: 'sv',
  labels: {
    documentNumber: 'fakturanummer',
    documentDate: 'fakturadatum',
    dueDate: 'forfallodatum',
    total: 'att betala | summa att betala',
    tax: 'moms',
    quantity: 'antal',
    unitPrice: 'a pris | pris',
    lineTotal: 'belopp',
    description: 'beskrivning',
    vendorAddress: 'adress',
    customerNumber: 'kundnummer',
    paymentReference: 'ocr number',
    taxId: 'moms nr | org nr',
    companyNumber: 'organisationsnummer',
    city: 'stad',
    zip: 'postnummer',
  },
  companies: {
    legalForms: 'ab',
    shortLegalForms: 'AB',
    particles: 'och',
  },
  streets: {
    words: 'gatan | vägen',
    clearSuffixes: 'vägen | gatan',
  },
};
