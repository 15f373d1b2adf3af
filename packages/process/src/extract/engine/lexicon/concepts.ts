/** The concepts that labels of business documents and forms express, with the kinds of their values, best first. */
export type ValueKind =
  | 'date'
  | 'amount'
  | 'percent'
  | 'number'
  | 'email'
  | 'phone'
  | 'url'
  | 'iban'
  | 'bic'
  | 'vat'
  | 'id'
  | 'currency'
  | 'currencySymbol'
  | 'country'
  | 'company'
  | 'person'
  | 'address'
  | 'street'
  | 'city'
  | 'zip'
  | 'state'
  | 'duration'
  | 'law'
  | 'boolean'
  | 'text';

const KINDS = {
  documentNumber: ['id'],
  documentDate: ['date'],
  dueDate: ['date'],
  orderDate: ['date'],
  deliveryDate: ['date'],
  startDate: ['date'],
  endDate: ['date'],
  effectiveDate: ['date'],
  birthDate: ['date'],
  time: ['text'],
  total: ['amount', 'number'],
  subtotal: ['amount', 'number'],
  tax: ['amount', 'number'],
  taxRate: ['percent', 'number'],
  discount: ['amount', 'percent', 'number'],
  shipping: ['amount', 'number'],
  tip: ['amount', 'number'],
  serviceCharge: ['amount', 'number'],
  rounding: ['amount', 'number'],
  paid: ['amount', 'number'],
  change: ['amount', 'number'],
  balance: ['amount', 'number'],
  totalQuantity: ['number'],
  quantity: ['number'],
  unitPrice: ['amount', 'number'],
  lineTotal: ['amount', 'number'],
  description: ['text'],
  itemCode: ['id', 'text'],
  position: ['id', 'number'],
  unit: ['text'],
  vendorName: ['company'],
  vendorAddress: ['address'],
  customerName: ['company', 'person'],
  customerAddress: ['address'],
  shippingAddress: ['address'],
  customerNumber: ['id'],
  orderNumber: ['id'],
  purchaseOrder: ['id'],
  reference: ['id', 'text'],
  paymentReference: ['id'],
  mandate: ['id'],
  contractNumber: ['id'],
  caseNumber: ['id'],
  taxId: ['vat', 'id'],
  companyNumber: ['id'],
  iban: ['iban', 'id'],
  bic: ['bic', 'id'],
  bankName: ['company', 'text'],
  email: ['email'],
  phone: ['phone'],
  mobile: ['phone'],
  fax: ['phone'],
  website: ['url'],
  currency: ['currency'],
  currencySymbol: ['currencySymbol'],
  street: ['street'],
  city: ['city'],
  zip: ['zip'],
  state: ['state'],
  country: ['country'],
  paymentMethod: ['text'],
  paymentTerms: ['text'],
  incoterm: ['text'],
  cashier: ['text'],
  salesperson: ['text'],
  personName: ['person', 'text'],
  firstName: ['text'],
  lastName: ['text'],
  gender: ['text'],
  nationality: ['text'],
  jobTitle: ['text'],
  employer: ['company', 'text'],
  jurisdiction: ['law'],
  term: ['duration'],
  noticePeriod: ['duration'],
  parties: ['company', 'person'],
  notes: ['text'],
} as const satisfies Record<string, readonly ValueKind[]>;

export type ConceptName = keyof typeof KINDS;

export const CONCEPTS: Readonly<Record<string, readonly ValueKind[]>> = KINDS;

export const CONCEPT_NAMES = Object.keys(KINDS) as readonly ConceptName[];
