import type { ExtractionLanguage } from '../language.ts';

export const turkish: ExtractionLanguage = {
  language: 'tr',
  labels: {
    documentNumber: 'fatura numarasi',
    documentDate: 'fatura tarihi',
    dueDate: 'son odeme tarihi',
    total: 'genel toplam',
    tax: 'kdv',
    quantity: 'miktar',
    unitPrice: 'birim fiyat',
    lineTotal: 'tutar',
    description: 'aciklama',
    customerName: 'musteri',
    taxId: 'vergi no',
    currency: 'para birimi',
  },
};
