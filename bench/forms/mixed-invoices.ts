/**
 * Invoices whose layout is drawn part by part: the order of supplier and customer, labels with or without a colon,
 * numbers with labels of their own before a name, sums and columns in several wordings. The halves differ in companies,
 * wordings and languages.
 */
import { amountIn, cents, dayOf, monthName, two, type Day, type Form, type FormSet, type Layout } from './form.ts';
import { widthOf, type PlacedText } from './pdf-page.ts';
import type { Random } from './random.ts';

interface Wordings {
  language: string;
  currency: string;
  sign: string;
  companies: readonly (readonly [name: string, street: string, town: string])[];
  goods: readonly string[];
  supplier: readonly string[];
  customer: readonly string[];
  /** Labels of numbers between the label of a party and its name. */
  partyNumbers: readonly string[];
  title: readonly string[];
  number: readonly string[];
  date: readonly string[];
  due: readonly string[];
  columns: readonly (readonly [string, string, string, string])[];
  subtotal: readonly string[];
  tax: readonly string[];
  total: readonly string[];
}

const TUNING: readonly Wordings[] = [
  {
    language: 'en-GB',
    currency: 'GBP',
    sign: '£',
    companies: [
      ['Wrenfield Catering Ltd', '8 Orchard Row', 'Bath BA1 5QT'],
      ['Tollgate Print Works Ltd', '31 Foundry Lane', 'Hull HU2 8LN'],
      ['Ashdown Cycle Hire Limited', '2 Pier Approach', 'Poole BH15 1HB'],
    ],
    goods: ['Buffet lunch', 'A5 leaflets', 'Tandem, one day', 'Delivery'],
    supplier: ['Supplier', 'Seller', 'From'],
    customer: ['Customer', 'Billed to', 'Invoice to'],
    partyNumbers: ['Account', 'VAT no.'],
    title: ['INVOICE', 'Tax invoice'],
    number: ['Invoice no.', 'Invoice number', 'Invoice #'],
    date: ['Invoice date', 'Date of invoice', 'Date'],
    due: ['Due date', 'Payment due', 'Please pay by'],
    columns: [
      ['Item', 'Quantity', 'Price', 'Amount'],
      ['Details', 'Qty', 'Unit cost', 'Total'],
    ],
    subtotal: ['Total excluding VAT', 'Net total', 'Goods total (excl. VAT)'],
    tax: ['VAT', 'VAT at 20%'],
    total: ['Total including VAT', 'Gross total', 'Total (incl. VAT)'],
  },
  {
    language: 'de',
    currency: 'EUR',
    sign: '€',
    companies: [
      ['Seifert Metallbau GmbH', 'Hafenstraße 19', '28195 Bremen'],
      ['Blumen Krause e.K.', 'Rosenweg 5', '08056 Zwickau'],
      ['Ostwind Logistik AG', 'Speicherallee 40', '18055 Rostock'],
    ],
    goods: ['Stahlträger', 'Tischgesteck', 'Palettenfracht', 'Verpackung'],
    supplier: ['Verkäufer', 'Lieferant', 'Rechnungssteller'],
    customer: ['Käufer', 'Rechnungsempfänger', 'Kunde'],
    partyNumbers: ['Nummer', 'Steuernummer'],
    title: ['Rechnung', 'Warenrechnung'],
    number: ['Rechnungsnummer', 'Rechnung Nr.', 'Rechnungs-Nr.'],
    date: ['Rechnungsdatum', 'Datum'],
    due: ['Fällig am', 'Zahlbar bis'],
    columns: [
      ['Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag'],
      ['Artikel', 'Anzahl', 'Nettopreis', 'Positionsbetrag'],
    ],
    subtotal: ['Summe ohne USt.', 'Rechnungssumme netto', 'Warenwert'],
    tax: ['USt. 20 %', 'Umsatzsteuer'],
    total: ['Rechnungssumme brutto (inkl. USt.)', 'Bruttobetrag', 'Gesamtbetrag inkl. MwSt.'],
  },
];
const CHECKING: readonly Wordings[] = [
  {
    language: 'en-US',
    currency: 'USD',
    sign: '$',
    companies: [
      ['Cobalt Ridge Roofing LLC', '77 Summit Avenue', 'Boulder, CO 80301'],
      ['Harbor Lane Dental Supply Inc.', '1450 Wharf Street', 'Portland, ME 04101'],
      ['Mesa Verde Landscaping Co.', '9 Canyon Drive', 'Tucson, AZ 85704'],
    ],
    goods: ['Roof inspection', 'Nitrile gloves', 'Sprinkler repair', 'Gravel, per ton'],
    supplier: ['Vendor', 'Remit to', 'Billed by'],
    customer: ['Sold to', 'Client', 'Bill to'],
    partyNumbers: ['Account no.', 'ID'],
    title: ['Invoice', 'SALES INVOICE'],
    number: ['Invoice ID', 'Invoice No', 'Inv. number'],
    date: ['Issue date', 'Invoice date', 'Dated'],
    due: ['Due', 'Payment due by', 'Due by'],
    columns: [
      ['Product or service', 'Units', 'Unit price', 'Line amount'],
      ['Description', 'Quantity', 'Rate', 'Extended price'],
    ],
    subtotal: ['Total before tax', 'Amount before tax', 'Sub-total'],
    tax: ['State tax', 'Tax (20%)', 'Sales tax'],
    total: ['Balance due', 'Total after tax', 'Please pay'],
  },
  {
    language: 'fr',
    currency: 'EUR',
    sign: '€',
    companies: [
      ['Plomberie Vasseur SARL', '18 rue des Lilas', '59000 Lille'],
      ['Imprimerie du Quai SAS', '4 quai Bourbon', '13002 Marseille'],
      ['Domaine Berthier EARL', '6 route de Cluny', '71960 Igé'],
    ],
    goods: ['Robinet mitigeur', 'Affiches A2', 'Carton de Mâcon', 'Transport'],
    supplier: ['Fournisseur', 'Vendeur', 'Émetteur'],
    customer: ['Client', 'Facturé à', 'Destinataire'],
    partyNumbers: ['Code', 'N° TVA'],
    title: ['Facture', 'FACTURE'],
    number: ['Facture n°', 'Numéro de facture', 'N° de facture'],
    date: ['Date', 'Date de facturation', 'Date d’émission'],
    due: ['À régler avant le', 'Échéance', 'Date limite de paiement'],
    columns: [
      ['Libellé', 'Qté', 'Prix unitaire', 'Montant'],
      ['Description', 'Quantité', 'P.U. HT', 'Total HT'],
    ],
    subtotal: ['Total hors TVA', 'Montant HT', 'Total net HT'],
    tax: ['Montant de la TVA', 'TVA à 20 %'],
    total: ['Montant TTC', 'Total à payer', 'Net à payer TTC'],
  },
  {
    language: 'es',
    currency: 'EUR',
    sign: '€',
    companies: [
      ['Carpintería Robles S.L.', 'calle Mayor 12', '50001 Zaragoza'],
      ['Suministros Ebro S.A.', 'avenida de Goya 7', '26001 Logroño'],
      ['Viveros La Encina S.L.', 'camino Viejo 3', '06002 Badajoz'],
    ],
    goods: ['Mesa de roble', 'Tornillos 5 mm', 'Olivo joven', 'Portes'],
    supplier: ['Proveedor', 'Emisor', 'Vendedor'],
    customer: ['Cliente', 'Facturar a', 'Comprador'],
    partyNumbers: ['Código', 'NIF'],
    title: ['Factura', 'FACTURA'],
    number: ['Factura nº', 'Número de factura', 'Nº factura'],
    date: ['Fecha', 'Fecha de factura', 'Fecha de emisión'],
    due: ['Vencimiento', 'Fecha de vencimiento', 'Pagar antes del'],
    columns: [
      ['Concepto', 'Cantidad', 'Precio', 'Importe'],
      ['Descripción', 'Uds.', 'Precio unitario', 'Total'],
    ],
    subtotal: ['Base imponible', 'Total sin IVA', 'Importe neto'],
    tax: ['IVA 20 %', 'Cuota IVA'],
    total: ['Total con IVA', 'Total factura', 'Importe total'],
  },
];

const RIGHTS = [330, 430, 525];

function printed(day: Day, language: string, random: Random): string {
  if (language === 'en-US') return `${two(day.month)}/${two(day.day)}/${day.year}`;
  if (random.chance(0.3) && language === 'en-GB') return `${day.day} ${monthName(day, 'en')} ${day.year}`;
  return [two(day.day), two(day.month), day.year].join(language === 'de' ? '.' : '/');
}

/** Returns the lines of a party: its label, at times numbers with labels, and its name and address. */
function partyLines(random: Random, label: string, numbers: readonly string[], company: readonly string[]): string[] {
  const first = random.chance(0.5) ? `${label}:` : label;
  const own = random.chance(0.4) ? [`${random.pick(numbers)}: ${random.digits(6)}`] : [];
  return [first, ...own, ...company];
}

const mixed =
  (wordings: Wordings): Layout =>
  (random): Form => {
    const { language, currency, sign } = wordings;
    const [supplier = ['', '', ''], customer = ['', '', '']] = random.several(wordings.companies, 2);
    const items = random.several(wordings.goods, random.whole(1, 4)).map((description) => {
      const quantity = random.whole(1, 12);
      const unitPrice = cents(random.whole(150, 24_000) / 100);
      return { description, quantity, unit_price: unitPrice, amount: cents(quantity * unitPrice) };
    });
    const subtotal = cents(items.reduce((sum, { amount }) => sum + amount, 0));
    const tax = cents(subtotal * 0.2);
    const total = cents(subtotal + tax);
    const issued = dayOf(random);
    const due = { ...issued, day: Math.min(28, issued.day + 7), iso: '' };
    due.iso = `${due.year}-${two(due.month)}-${two(due.day)}`;
    const number = random.pick([`${issued.year}/${random.digits(4)}`, `F-${random.digits(5)}`, random.digits(6)]);
    const before = language.startsWith('en');
    const money = (value: number): string =>
      before ? `${sign}${amountIn(language, value)}` : `${amountIn(language, value)} ${sign}`;
    const texts: PlacedText[] = [];
    const lines = (all: readonly string[], x: number, top: number): void => {
      for (const [at, text] of all.entries()) texts.push({ text, x, y: top + at * 14, bold: at === 0 });
    };
    const parties = [
      partyLines(random, random.pick(wordings.supplier), wordings.partyNumbers, supplier),
      partyLines(random, random.pick(wordings.customer), wordings.partyNumbers, customer),
    ];
    const [first = [], second = []] = random.chance(0.5) ? parties : parties.toReversed();
    texts.push({ text: random.pick(wordings.title), x: 60, y: 60, size: 16, bold: true });
    if (random.chance(0.5)) {
      lines(first, 60, 100);
      lines(second, 320, 100);
    } else {
      lines(first, 60, 90);
      lines(second, 60, 175);
    }
    const facts: [string, string][] = [
      [random.pick(wordings.number), number],
      [random.pick(wordings.date), printed(issued, language, random)],
      [random.pick(wordings.due), printed(due, language, random)],
    ];
    for (const [at, [label, value]] of facts.entries()) {
      const y = 265 + at * 16;
      if (random.chance(0.5)) texts.push({ text: `${label}: ${value}`, x: 60, y });
      else texts.push({ text: label, x: 60, y }, { text: value, x: 230, y });
    }
    const right = (text: string, at: number, y: number, bold = false): PlacedText => ({
      text,
      x: (RIGHTS[at] ?? 0) - widthOf(text, 10),
      y,
      bold,
    });
    const [name = '', ...others] = random.pick(wordings.columns);
    texts.push({ text: name, x: 60, y: 340, bold: true }, ...others.map((text, at) => right(text, at, 340, true)));
    for (const [at, item] of items.entries()) {
      const y = 362 + at * 18;
      texts.push(
        { text: item.description, x: 60, y },
        right(String(item.quantity), 0, y),
        right(amountIn(language, item.unit_price), 1, y),
        right(amountIn(language, item.amount), 2, y),
      );
    }
    const sums: [string, number][] = [
      [random.pick(wordings.subtotal), subtotal],
      [random.pick(wordings.tax), tax],
      [random.pick(wordings.total), total],
    ];
    for (const [at, [label, value]] of sums.entries()) {
      const y = 380 + (items.length + at) * 18;
      texts.push({ text: label, x: 300, y, bold: at === 2 }, right(money(value), 2, y, at === 2));
    }
    return {
      layout: `mixed ${language}`,
      pages: [texts],
      gold: {
        supplier_name: supplier[0],
        customer_name: customer[0],
        invoice_number: number,
        invoice_date: issued.iso,
        due_date: due.iso,
        subtotal,
        tax_amount: tax,
        total,
        currency,
        items,
      },
    };
  };

export const mixedInvoices = (schema: Record<string, unknown>): FormSet => ({
  name: 'mixed-invoices',
  schema,
  layouts: { tuning: TUNING.map(mixed), checking: CHECKING.map(mixed) },
});
