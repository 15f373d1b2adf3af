/** JSON Schemas to begin with; the form shows them as text, so that they can be changed. */
export const TEMPLATES: Readonly<Record<string, object>> = {
  Invoice: {
    type: 'object',
    properties: {
      invoiceNumber: { type: 'string' },
      invoiceDate: { type: 'string', format: 'date' },
      supplier: { type: 'string' },
      totalAmount: { type: 'number' },
      currency: { type: 'string' },
    },
  },
  Contract: {
    type: 'object',
    properties: {
      parties: { type: 'array', items: { type: 'string' } },
      effectiveDate: { type: 'string', format: 'date' },
      noticePeriod: { type: 'string' },
      governingLaw: { type: 'string' },
    },
  },
  Receipt: {
    type: 'object',
    properties: {
      company: { type: 'string' },
      date: { type: 'string', format: 'date' },
      address: { type: 'string' },
      total: { type: 'number' },
    },
  },
  Letter: {
    type: 'object',
    properties: {
      sender: { type: 'string' },
      recipient: { type: 'string' },
      date: { type: 'string', format: 'date' },
      subject: { type: 'string' },
    },
  },
};
