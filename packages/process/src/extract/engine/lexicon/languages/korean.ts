import type { ExtractionLanguage } from '../language.ts';

export const korean: ExtractionLanguage = {
  language: 'ko',
  labels: {
    documentNumber: '청구서 번호',
    documentDate: '발행일',
    dueDate: '지급 기한',
    total: '합계',
    subtotal: '소계',
    tax: '부가세',
    quantity: '수량',
    unitPrice: '단가',
    lineTotal: '금액',
    description: '품목',
    vendorName: '공급자',
    customerName: '공급받는자',
    taxId: '사업자등록번호',
    phone: '전화',
    notes: '비고',
  },
};
