import type { ExtractionLanguage } from '../language.ts';

export const finnish: ExtractionLanguage = {
  language: 'fi',
  labels: {
    documentNumber: 'laskun numero',
    documentDate: 'laskun paivays',
    dueDate: 'erapaiva',
    total: 'yhteensa',
    subtotal: 'veroton',
    tax: 'alv',
    quantity: 'maara',
    unitPrice: 'yksikkohinta',
    lineTotal: 'yhteensa',
    description: 'kuvaus',
    customerName: 'asiakas | ostaja',
    taxId: 'alv tunnus',
    currency: 'valuutta',
  },
  companies: {
    legalForms: 'oy | oyj',
    shortLegalForms: 'Oy | OY',
  },
};
