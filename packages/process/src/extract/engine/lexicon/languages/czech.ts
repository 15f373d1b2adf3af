import type { ExtractionLanguage } from '../language.ts';

export const czech: ExtractionLanguage = {
  language: 'cs',
  labels: {
    documentNumber: 'cislo faktury | faktura cislo',
    documentDate: 'datum vystaveni',
    dueDate: 'datum splatnosti | splatnost',
    total: 'celkem k uhrade',
    subtotal: 'bez dph',
    tax: 'dph',
    quantity: 'pocet',
    unitPrice: 'cena za jednotku',
    lineTotal: 'celkem',
    description: 'popis',
    vendorName: 'dodavatel',
    customerName: 'odberatel',
    taxId: 'dic',
    currency: 'mena',
  },
  generalLabels: {
    total: 'celkem',
  },
  yes: 'ano',
  no: 'ne',
  companies: {
    legalForms: String.raw`s\.r\.o | a\.s`,
  },
};
