/** Invoices with groups of items, in five layouts and four languages. The addressee is often above the supplier. */
import { amountIn, cents, dayOf, monthName, two, type Day, type Form, type FormSet, type Layout } from './form.ts';
import { widthOf, type PlacedText } from './pdf-page.ts';
import type { Random } from './random.ts';

interface Item {
  description: string;
  quantity: number;
  unit_price: number;
  amount: number;
}

interface Group {
  title: string;
  items: Item[];
}

interface Company {
  name: string;
  street: string;
  town: string;
}

interface Bill {
  supplier: Company;
  customer: Company;
  number: string;
  issued: Day;
  due: Day;
  groups: Group[];
  subtotal: number;
  tax: number;
  total: number;
}

type Words = Readonly<Record<string, readonly string[]>>;

/** Companies of a language, suppliers and customers alike. */
const COMPANIES: Readonly<Record<string, readonly Company[]>> = {
  en: [
    { name: 'Bramble Office Supplies Ltd', street: '14 Station Road', town: 'Leeds LS1 4DY' },
    { name: 'Northgate Plumbing Services', street: '3 Canal Street', town: 'Manchester M1 3HE' },
    { name: 'Hollow Oak Joinery', street: '52 Church Lane', town: 'Norwich NR2 1AB' },
    { name: 'Peregrine Lighting Inc.', street: '880 Market Street', town: 'Denver, CO 80202' },
  ],
  de: [
    { name: 'Weidner Elektrotechnik GmbH', street: 'Industriestraße 12', town: '70565 Stuttgart' },
    { name: 'Gärtnerei Holm', street: 'Feldweg 8', town: '24103 Kiel' },
    { name: 'Praxis Dr. Sommer', street: 'Bahnhofstraße 2', town: '99084 Erfurt' },
  ],
  fr: [
    { name: 'Menuiserie Delorme SARL', street: '7 rue Victor Hugo', town: '69002 Lyon' },
    { name: 'Cabinet Rousselle', street: '15 avenue Foch', town: '54000 Nancy' },
    { name: 'Les Jardins de Sault', street: '2 chemin des Vignes', town: '84390 Sault' },
  ],
  nl: [
    { name: 'Van Dalen Techniek B.V.', street: 'Kerkstraat 21', town: '3511 AB Utrecht' },
    { name: 'Bakkerij De Linde', street: 'Dorpsweg 4', town: '1012 JS Amsterdam' },
    { name: 'Kantoor Smit & Zn.', street: 'Havenkade 9', town: '9711 LM Groningen' },
  ],
};
const GROUPS: Readonly<Record<string, Words>> = {
  en: {
    Labour: ['Fitting and testing', 'Removal of old unit'],
    Materials: ['Copper pipe 22 mm', 'Ball valve', 'Sealing tape'],
    Travel: ['Call-out charge'],
  },
  de: {
    Arbeitszeit: ['Montage vor Ort', 'Prüfung der Anlage'],
    Material: ['Kabelkanal weiß', 'Sicherungsautomat'],
    Fahrt: ['Anfahrtspauschale'],
  },
  fr: {
    'Main d’oeuvre': ['Pose de la porte', 'Dépose ancien cadre'],
    Fournitures: ['Charnières laiton', 'Vernis mat'],
  },
  nl: { Arbeid: ['Plaatsing ketel', 'Afstelling'], Materiaal: ['Koppeling 15 mm', 'Afvoerbuis'] },
};

function billOf(random: Random, language: string): Bill {
  const [supplier, customer] = random.several(COMPANIES[language] ?? [], 2);
  if (supplier === undefined || customer === undefined) throw new Error(`There are no companies for ${language}`);
  const words = Object.entries(GROUPS[language] ?? {});
  const groups = random.several(words, random.whole(1, words.length)).map(([title, names]) => ({
    title,
    items: random.several(names, random.whole(1, names.length)).map((description) => {
      const quantity = random.whole(1, 9);
      const unitPrice = cents(random.whole(250, 18_000) / 100);
      return { description, quantity, unit_price: unitPrice, amount: cents(quantity * unitPrice) };
    }),
  }));
  const subtotal = cents(groups.flatMap(({ items }) => items).reduce((sum, { amount }) => sum + amount, 0));
  const tax = cents(subtotal * 0.2);
  const issued = dayOf(random);
  const due = { ...issued, month: (issued.month % 12) + 1, year: issued.year + (issued.month === 12 ? 1 : 0), iso: '' };
  due.iso = `${due.year}-${two(due.month)}-${two(due.day)}`;
  const number = random.pick([`R${random.digits(5)}`, `${issued.year}-${random.digits(4)}`, random.digits(7)]);
  return { supplier, customer, number, issued, due, groups, subtotal, tax, total: cents(subtotal + tax) };
}

const goldOf = (bill: Bill, currency: string, extra: Record<string, unknown> = {}): Record<string, unknown> => ({
  supplier_name: bill.supplier.name,
  customer_name: bill.customer.name,
  invoice_number: bill.number,
  invoice_date: bill.issued.iso,
  subtotal: bill.subtotal,
  tax_amount: bill.tax,
  total: bill.total,
  currency,
  items: bill.groups.flatMap(({ items }) => items),
  ...extra,
});

interface TableStyle {
  language: string;
  names: readonly [string, string, string, string];
  y: number;
  sign: string;
  /** Whether the items have titles of groups, and the words before each group's sum. */
  titles: boolean;
  sums: string | null;
}

/** Sets the items as four columns; returns the texts and the end of the table. */
function tableOf(
  { groups }: Bill,
  { language, names, y: top, sign, titles, sums }: TableStyle,
): { texts: PlacedText[]; end: number } {
  const rights = [330, 430, 525];
  const money = (value: number): string => `${sign}${amountIn(language, value)}`;
  const right = (text: string, at: number, y: number, bold = false): PlacedText => ({
    text,
    x: (rights[at] ?? 0) - widthOf(text, 10),
    y,
    bold,
  });
  const texts: PlacedText[] = [
    { text: names[0], x: 60, y: top, bold: true },
    ...names.slice(1).map((name, at) => right(name, at, top, true)),
  ];
  let y = top + 22;
  for (const { title, items } of groups) {
    if (titles) {
      texts.push({ text: title, x: 60, y, bold: true });
      y += 18;
    }
    for (const item of items) {
      texts.push({ text: item.description, x: 60, y });
      texts.push(
        right(String(item.quantity), 0, y),
        right(money(item.unit_price), 1, y),
        right(money(item.amount), 2, y),
      );
      y += 18;
    }
    if (sums !== null && groups.length > 1) {
      texts.push(
        { text: `${sums} ${title}`, x: 60, y },
        right(money(cents(items.reduce((sum, { amount }) => sum + amount, 0))), 2, y),
      );
      y += 22;
    }
  }
  return { texts, end: y };
}

function totalsOf(rows: readonly [string, string][], y: number, left = 360): PlacedText[] {
  return rows.flatMap(([label, value], at) => [
    { text: label, x: left, y: y + at * 18, bold: at === rows.length - 1 },
    { text: value, x: 525 - widthOf(value, 10), y: y + at * 18, bold: at === rows.length - 1 },
  ]);
}

const block = (lines: readonly string[], x: number, y: number): PlacedText[] =>
  lines.map((text, at) => ({ text, x, y: y + at * 14 }));

/** Letterhead at the left, addressee under "Bill to", groups with titles. */
const letterhead: Layout = (random) => {
  const bill = billOf(random, 'en');
  const { supplier, customer, issued, due } = bill;
  const { texts, end } = tableOf(bill, {
    language: 'en-GB',
    names: ['Description', 'Qty', 'Unit price', 'Amount'],
    y: 290,
    sign: '£',
    titles: true,
    sums: null,
  });
  const money = (value: number): string => `£${amountIn('en-GB', value)}`;
  return form('letterhead', bill, 'GBP', { due_date: due.iso }, [
    { text: supplier.name, x: 60, y: 60, size: 16, bold: true },
    ...block([supplier.street, supplier.town, 'Tel 01632 960123'], 60, 80),
    ...block(['Bill to', customer.name, customer.street, customer.town], 60, 160),
    ...block(
      [
        `Invoice number: ${bill.number}`,
        `Invoice date: ${issued.day} ${monthName(issued, 'en')} ${issued.year}`,
        `Due date: ${due.day} ${monthName(due, 'en')} ${due.year}`,
      ],
      330,
      160,
    ),
    ...texts,
    ...totalsOf(
      [
        ['Subtotal', money(bill.subtotal)],
        ['VAT 20%', money(bill.tax)],
        ['Total due', money(bill.total)],
      ],
      end + 12,
    ),
  ]);
};

/** German business letter: addressee above, supplier in a small line above it and in the foot. */
const businessLetter: Layout = (random) => {
  const bill = billOf(random, 'de');
  const { supplier, customer, issued } = bill;
  const { texts, end } = tableOf(bill, {
    language: 'de',
    names: ['Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis'],
    y: 330,
    sign: '',
    titles: random.chance(0.6),
    sums: null,
  });
  const money = (value: number): string => `${amountIn('de', value)} €`;
  return form('business letter', bill, 'EUR', {}, [
    { text: `${supplier.name} · ${supplier.street} · ${supplier.town}`, x: 60, y: 110, size: 7 },
    ...block([customer.name, customer.street, customer.town], 60, 130),
    { text: `Rechnung Nr. ${bill.number}`, x: 60, y: 240, size: 14, bold: true },
    { text: `Datum: ${two(issued.day)}.${two(issued.month)}.${issued.year}`, x: 400, y: 240 },
    { text: 'Vielen Dank für Ihren Auftrag. Wir berechnen Ihnen:', x: 60, y: 280 },
    ...texts,
    ...totalsOf(
      [
        ['Nettobetrag', money(bill.subtotal)],
        ['zzgl. 20 % MwSt.', money(bill.tax)],
        ['Rechnungsbetrag', money(bill.total)],
      ],
      end + 12,
    ),
    { text: `${supplier.name}, IBAN DE89 3704 0044 0532 0130 00, USt-IdNr. DE811907980`, x: 60, y: 800, size: 7 },
  ]);
};

/** Two columns "From" and "To", and a sum after each group. */
const fromTo: Layout = (random) => {
  const bill = billOf(random, 'en');
  const { supplier, customer, issued, due } = bill;
  const { texts, end } = tableOf(bill, {
    language: 'en-US',
    names: ['Service', 'Hours', 'Rate', 'Line total'],
    y: 260,
    sign: '',
    titles: true,
    sums: 'Subtotal',
  });
  const money = (value: number): string => `$${amountIn('en-US', value)}`;
  const printed = (day: Day): string => `${two(day.month)}/${two(day.day)}/${day.year}`;
  return form('from and to', bill, 'USD', { due_date: due.iso }, [
    { text: 'INVOICE', x: 440, y: 60, size: 20, bold: true },
    ...block(['From', supplier.name, supplier.street, supplier.town], 60, 110),
    ...block(['To', customer.name, customer.street, customer.town], 320, 110),
    ...block([`No. ${bill.number}`, `Issued ${printed(issued)}`, `Payable by ${printed(due)}`], 440, 190),
    ...texts,
    ...totalsOf(
      [
        ['Net', money(bill.subtotal)],
        ['Sales tax', money(bill.tax)],
        ['Amount payable', money(bill.total)],
      ],
      end + 14,
    ),
  ]);
};

/** French: supplier at the right without a label, the customer first. */
const customerFirst: Layout = (random) => {
  const bill = billOf(random, 'fr');
  const { supplier, customer, issued, due } = bill;
  const { texts, end } = tableOf(bill, {
    language: 'fr',
    names: ['Désignation', 'Quantité', 'Prix unitaire HT', 'Montant HT'],
    y: 300,
    sign: '',
    titles: true,
    sums: 'Sous-total',
  });
  const money = (value: number): string => `${amountIn('fr', value)} €`;
  return form('customer first', bill, 'EUR', { due_date: due.iso }, [
    ...block(['Client :', customer.name, customer.street, customer.town], 60, 70),
    ...block([supplier.name, supplier.street, supplier.town, 'SIRET 552 100 554 00025'], 350, 130),
    { text: `Facture n° ${bill.number}`, x: 60, y: 220, size: 14, bold: true },
    ...block(
      [
        `Date de facture : ${two(issued.day)}/${two(issued.month)}/${issued.year}`,
        `Échéance : ${two(due.day)}/${two(due.month)}/${due.year}`,
      ],
      60,
      242,
    ),
    ...texts,
    ...totalsOf(
      [
        ['Total HT', money(bill.subtotal)],
        ['TVA 20 %', money(bill.tax)],
        ['Total TTC', money(bill.total)],
      ],
      end + 12,
    ),
  ]);
};

/** Dutch: name in the head, number and date in a row of labels above values. */
const labelRow: Layout = (random) => {
  const bill = billOf(random, 'nl');
  const { supplier, customer, issued, due } = bill;
  const { texts, end } = tableOf(bill, {
    language: 'nl',
    names: ['Omschrijving', 'Aantal', 'Prijs', 'Bedrag'],
    y: 330,
    sign: '',
    titles: random.chance(0.5),
    sums: null,
  });
  const printed = (day: Day): string => `${two(day.day)}-${two(day.month)}-${day.year}`;
  const money = (value: number): string => `€ ${amountIn('nl', value)}`;
  const columns: [string, string][] = [
    ['Factuurnummer', bill.number],
    ['Factuurdatum', printed(issued)],
    ['Vervaldatum', printed(due)],
  ];
  return form('label row', bill, 'EUR', { due_date: due.iso }, [
    { text: supplier.name, x: 320, y: 60, size: 15, bold: true },
    ...block([supplier.street, supplier.town], 320, 80),
    ...block([customer.name, customer.street, customer.town], 60, 130),
    ...columns.flatMap(([label, value], at) => [
      { text: label, x: 60 + at * 150, y: 240, bold: true },
      { text: value, x: 60 + at * 150, y: 256 },
    ]),
    ...texts,
    ...totalsOf(
      [
        ['Totaal excl. btw', money(bill.subtotal)],
        ['Btw 20%', money(bill.tax)],
        ['Totaal te betalen', money(bill.total)],
      ],
      end + 12,
    ),
  ]);
};

const form = (
  layout: string,
  bill: Bill,
  currency: string,
  extra: Record<string, unknown>,
  texts: PlacedText[],
): Form => ({
  layout,
  pages: [texts],
  gold: goldOf(bill, currency, extra),
});

export const invoices: FormSet = {
  name: 'invoices',
  schema: {
    type: 'object',
    properties: {
      supplier_name: { type: 'string' },
      customer_name: { type: 'string' },
      invoice_number: { type: 'string' },
      invoice_date: { type: 'string', format: 'date' },
      due_date: { type: ['string', 'null'], format: 'date' },
      subtotal: { type: 'number' },
      tax_amount: { type: 'number' },
      total: { type: 'number' },
      currency: { type: 'string', description: 'ISO 4217 code' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            description: { type: 'string' },
            quantity: { type: 'number' },
            unit_price: { type: 'number' },
            amount: { type: 'number' },
          },
        },
      },
    },
  },
  layouts: { tuning: [letterhead, businessLetter], checking: [fromTo, customerFirst, labelRow] },
};
