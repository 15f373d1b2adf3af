/** Office papers of the checking half: other layouts, firms and wordings than in the tuning half. */
import {
  american,
  amountIn,
  bold,
  cents,
  column,
  date,
  dayOf,
  dotted,
  firm,
  itemsOf,
  list,
  monthName,
  number,
  object,
  prose,
  right,
  slashed,
  sumOf,
  text,
  type PaperLayout,
} from './paper.ts';

type Firm = ReturnType<typeof firm>;

const GERMAN: readonly Firm[] = [
  firm('Elektro Baumgartner OHG', 'Gewerbestraße 31', '88212 Ravensburg'),
  firm('Druckhaus Sievers GmbH & Co. KG', 'Bahnhofstraße 60', '24340 Eckernförde'),
  firm('Gasthof Zum Hirschen', 'Dorfplatz 2', '83700 Rottach-Egern'),
  firm('Turnverein Neuburg 1896 e. V.', 'Sportweg 14', '86633 Neuburg'),
];
const FRENCH: readonly Firm[] = [
  firm('Imprimerie du Vieux Port SARL', '25 quai de Rive Neuve', '13007 Marseille'),
  firm('Boulangerie Delmas', '4 rue Gambetta', '46000 Cahors'),
  firm('Lycée Jean Moulin', '8 avenue des Écoles', '34500 Béziers'),
];
const ENGLISH: readonly Firm[] = [
  firm('Harbor Light Electric Inc.', '2210 Marina Blvd', 'Everett, WA 98201'),
  firm('Cedar Ridge Veterinary Clinic', '77 Old County Road', 'Bend, OR 97702'),
  firm('Summit Trail Outfitters LLC', '415 Aspen Ave', 'Flagstaff, AZ 86001'),
  firm('Northgate Property Group', '900 Union Street, Suite 12', 'Boise, ID 83702'),
];
const SPANISH: readonly Firm[] = [
  firm('Talleres Mecánicos Ibarra S.L.', 'Polígono Industrial Norte 8', '01013 Vitoria'),
  firm('Clínica Dental Sonrisas', 'Calle de Alcalá 210', '28028 Madrid'),
  firm('Bodegas Peñalosa S.A.', 'Carretera de Logroño km 4', '26350 Cenicero'),
];
const PEOPLE = {
  de: ['Gudrun Ziegler', 'Sebastian Hollmann', 'Ewa Nowak', 'Ralf Dietrich'],
  es: ['Lucía Herrero Gómez', 'Javier Montes', 'Carmen Salas Ortega', 'Andrés Vidal'],
  en: ['Patricia Whitlock', 'Marcus Delgado', 'Helen Zhao', 'Gregory Stanton'],
};
const pair = (random: { several<T>(items: readonly T[], count: number): T[] }, firms: readonly Firm[]): [Firm, Firm] =>
  random.several(firms, 2) as [Firm, Firm];

/** A Spanish invoice: the label and the name of the customer are cells of one line. */
const spanishInvoice: PaperLayout = (random) => {
  const [seller, buyer] = pair(random, SPANISH);
  const items = itemsOf(random, [
    'Cambio de aceite',
    'Limpieza dental',
    'Caja de tinto crianza',
    'Mano de obra',
    'Revisión anual',
  ]);
  const net = sumOf(items);
  const tax = cents(net * 0.21);
  const day = dayOf(random);
  const due = dayOf(random);
  const invoiceNumber = `${day.year}/${random.digits(4)}`;
  const es = (value: number): string => amountIn('es', value);
  return {
    layout: 'spanish invoice',
    schema: object({
      numeroFactura: text('Número de factura'),
      fechaFactura: date('Fecha de emisión'),
      fechaVencimiento: date(),
      emisor: text('Empresa que emite la factura'),
      cliente: object({
        nombre: text('Razón social del cliente'),
        direccion: text(),
        poblacion: text('Código postal y población'),
      }),
      conceptos: list(object({ descripcion: text(), unidades: number(), precio: number(), importe: number() })),
      baseImponible: number(),
      iva: number('Cuota de IVA'),
      total: number('Importe total de la factura'),
    }),
    pages: [
      [
        bold('FACTURA', 450, 50),
        bold(seller.name, 50, 50, 12),
        ...column(50, 66, [seller.street, seller.town, `CIF: B${random.digits(8)}`], 9, 12),
        ...column(50, 130, ['Cliente', 'Domicilio', 'Población', 'NIF']),
        ...column(130, 130, [buyer.name, buyer.street, buyer.town, `A${random.digits(8)}`]),
        ...column(370, 130, ['Nº factura', 'Fecha', 'Vencimiento']),
        ...column(460, 130, [invoiceNumber, slashed(day), slashed(due)]),
        ...['Concepto', 'Uds.', 'Precio', 'Importe'].map((name, at) => ({
          text: name,
          x: [50, 310, 390, 480][at] ?? 0,
          y: 230,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.text, x: 50, y: 250 + at * 17 },
          right(String(item.quantity), 330, 250 + at * 17),
          right(es(item.price), 430, 250 + at * 17),
          right(es(item.amount), 525, 250 + at * 17),
        ]),
        ...['Base imponible', 'IVA 21%', 'TOTAL FACTURA'].map((name, at) => ({
          text: name,
          x: [50, 250, 430][at] ?? 0,
          y: 400,
          bold: true,
        })),
        ...[net, tax, cents(net + tax)].map((value, at) => ({
          text: `${es(value)} €`,
          x: [50, 250, 430][at] ?? 0,
          y: 416,
        })),
        { text: 'Forma de pago: transferencia bancaria', x: 50, y: 460 },
      ],
    ],
    gold: {
      numeroFactura: invoiceNumber,
      fechaFactura: day.iso,
      fechaVencimiento: due.iso,
      emisor: seller.name,
      cliente: { nombre: buyer.name, direccion: buyer.street, poblacion: buyer.town },
      conceptos: items.map((item) => ({
        descripcion: item.text,
        unidades: item.quantity,
        precio: item.price,
        importe: item.amount,
      })),
      baseImponible: net,
      iva: tax,
      total: cents(net + tax),
    },
  };
};

/** An American invoice: both parties beside each other below their labels. */
const americanInvoice: PaperLayout = (random) => {
  const [seller, buyer] = pair(random, ENGLISH);
  const items = itemsOf(random, ['Panel upgrade', 'Trail tent', 'Annual checkup', 'Labor', 'Disposal fee']);
  const net = sumOf(items);
  const tax = cents(net * 0.0875);
  const day = dayOf(random);
  const due = dayOf(random);
  const invoiceNumber = `INV-${random.digits(6)}`;
  const en = (value: number): string => `$${amountIn('en', value)}`;
  return {
    layout: 'american invoice',
    schema: object({
      invoiceId: text('Invoice number'),
      issued: date('Invoice date'),
      due: date('Due date'),
      vendor: object({ name: text(), address: text() }),
      customer: object({ name: text(), address: text() }),
      lines: list(object({ description: text(), qty: number(), unitPrice: number(), amount: number() })),
      subtotal: number(),
      salesTax: number(),
      balanceDue: number(),
      currency: { type: 'string', enum: ['USD', 'CAD', 'GBP'] },
    }),
    pages: [
      [
        bold(seller.name, 60, 60, 18),
        { text: `${seller.street} | ${seller.town}`, x: 60, y: 78, size: 9 },
        { text: 'BILL TO', x: 60, y: 130, size: 9, bold: true },
        ...column(60, 146, [buyer.name, buyer.street, buyer.town]),
        { text: 'INVOICE', x: 360, y: 130, size: 9, bold: true },
        ...column(360, 146, [invoiceNumber, `Issued ${american(day)}`, `Due ${american(due)}`]),
        ...['DESCRIPTION', 'QTY', 'UNIT PRICE', 'AMOUNT'].map((name, at) => ({
          text: name,
          x: [60, 330, 390, 480][at] ?? 0,
          y: 230,
          size: 9,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.text, x: 60, y: 250 + at * 18 },
          right(String(item.quantity), 350, 250 + at * 18),
          right(en(item.price), 445, 250 + at * 18),
          right(en(item.amount), 530, 250 + at * 18),
        ]),
        ...[
          ['Subtotal', net],
          ['Sales tax 8.75%', tax],
          ['Balance due', cents(net + tax)],
        ].flatMap(([name, value], at) => [
          { text: String(name), x: 390, y: 370 + at * 18 },
          right(en(Number(value)), 530, 370 + at * 18),
        ]),
        { text: 'Thank you for your business!', x: 60, y: 480 },
      ],
    ],
    gold: {
      invoiceId: invoiceNumber,
      issued: day.iso,
      due: due.iso,
      vendor: { name: seller.name, address: `${seller.street}, ${seller.town}` },
      customer: { name: buyer.name, address: `${buyer.street}, ${buyer.town}` },
      lines: items.map((item) => ({
        description: item.text,
        qty: item.quantity,
        unitPrice: item.price,
        amount: item.amount,
      })),
      subtotal: net,
      salesTax: tax,
      balanceDue: cents(net + tax),
      currency: 'USD',
    },
  };
};

/** A German order as a web page: buyer and supplier are cells of a table. */
const germanOrder: PaperLayout = (random) => {
  const [buyer, seller] = pair(random, GERMAN);
  const items = itemsOf(random, ['Kabelkanal 40x60', 'Visitenkarten', 'Gymnastikmatte', 'Steckdose weiß', 'Bierbank']);
  const total = sumOf(items);
  const day = dayOf(random);
  const wanted = dayOf(random);
  const orderNumber = `B-${random.digits(6)}`;
  const person = random.pick(PEOPLE.de);
  const de = (value: number): string => `${amountIn('de', value)} €`;
  return {
    layout: 'german order',
    schema: object({
      bestellnummer: text(),
      bestelldatum: date(),
      liefertermin: date('Gewünschter Liefertermin'),
      besteller: text('Firma oder Verein, der bestellt'),
      lieferant: text(),
      ansprechpartner: text('Person, die bestellt hat'),
      artikel: list(
        object({
          artikelnummer: text(),
          bezeichnung: text(),
          menge: { type: 'integer' },
          preis: number(),
          summe: number(),
        }),
      ),
      bestellwert: number('Summe der Bestellung'),
    }),
    pages: [],
    html:
      `<html lang="de"><head><title>Bestellung</title></head><body><h1>Bestellung ${orderNumber}</h1>` +
      `<table><tr><td>Besteller</td><td>Lieferant</td></tr>` +
      `<tr><td>${buyer.name}<br>${buyer.street}<br>${buyer.town}</td><td>${seller.name}<br>${seller.street}<br>${seller.town}</td></tr></table>` +
      `<p>Bestelldatum: ${dotted(day)}<br>Liefertermin: ${dotted(wanted)}<br>Ansprechpartner: ${person}</p>` +
      '<table><tr><th>Art.-Nr.</th><th>Bezeichnung</th><th>Menge</th><th>Einzelpreis</th><th>Summe</th></tr>' +
      items
        .map(
          (item) =>
            `<tr><td>${item.code}</td><td>${item.text}</td><td>${item.quantity}</td><td>${de(item.price)}</td><td>${de(item.amount)}</td></tr>`,
        )
        .join('') +
      `<tr><td></td><td></td><td></td><td>Bestellwert</td><td>${de(total)}</td></tr></table><p>Bitte bestätigen Sie den Liefertermin.</p></body></html>`,
    gold: {
      bestellnummer: orderNumber,
      bestelldatum: day.iso,
      liefertermin: wanted.iso,
      besteller: buyer.name,
      lieferant: seller.name,
      ansprechpartner: person,
      artikel: items.map((item) => ({
        artikelnummer: item.code,
        bezeichnung: item.text,
        menge: item.quantity,
        preis: item.price,
        summe: item.amount,
      })),
      bestellwert: total,
    },
  };
};

/** A French delivery note: the addressee has a label in the line above. */
const frenchDelivery: PaperLayout = (random) => {
  const [seller, buyer] = pair(random, FRENCH);
  const items = itemsOf(random, ['Ramettes A4', 'Pain de campagne', 'Affiches couleur', 'Brioche', 'Enveloppes']);
  const day = dayOf(random);
  const noteNumber = `BL${random.digits(6)}`;
  const orderNumber = `CMD-${random.digits(5)}`;
  const parcels = random.whole(1, 9);
  return {
    layout: 'french delivery note',
    schema: object({
      numero_bon: text('Numéro du bon de livraison'),
      date_livraison: date('Date de livraison'),
      reference_commande: text('Commande du client'),
      expediteur: text('Entreprise qui expédie la marchandise'),
      destinataire: text(),
      nombre_colis: { type: 'integer' },
      articles: list(object({ reference: text(), designation: text(), quantite_livree: number() }), 'Articles livrés'),
    }),
    pages: [
      [
        bold('BON DE LIVRAISON', 200, 50),
        ...column(50, 90, [
          `N° ${noteNumber}`,
          `Date de livraison : ${slashed(day)}`,
          `Votre commande : ${orderNumber}`,
          `Nombre de colis : ${parcels}`,
        ]),
        { text: 'Expéditeur', x: 50, y: 170, bold: true },
        ...column(50, 186, [seller.name, seller.street, seller.town]),
        { text: random.pick(['Destinataire', 'Livré à']), x: 330, y: 170, bold: true },
        ...column(330, 186, [buyer.name, buyer.street, buyer.town]),
        ...['Référence', 'Désignation', 'Qté commandée', 'Qté livrée'].map((name, at) => ({
          text: name,
          x: [50, 130, 340, 450][at] ?? 0,
          y: 260,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.code, x: 50, y: 280 + at * 18 },
          { text: item.text, x: 130, y: 280 + at * 18 },
          right(String(item.quantity + 2), 390, 280 + at * 18),
          right(String(item.quantity), 490, 280 + at * 18),
        ]),
        { text: 'Signature du client :', x: 50, y: 420 },
      ],
    ],
    gold: {
      numero_bon: noteNumber,
      date_livraison: day.iso,
      reference_commande: orderNumber,
      expediteur: seller.name,
      destinataire: buyer.name,
      nombre_colis: parcels,
      articles: items.map((item) => ({ reference: item.code, designation: item.text, quantite_livree: item.quantity })),
    },
  };
};

/** A German payslip: all amounts in one column, the employee's address in the window of the letter. */
const germanPayslip: PaperLayout = (random) => {
  const employer = random.pick(GERMAN);
  const person = random.pick(PEOPLE.de);
  const day = dayOf(random);
  const gross = random.whole(2400, 6100);
  const tax = cents(gross * 0.16);
  const health = cents(gross * 0.081);
  const pension = cents(gross * 0.093);
  const net = cents(gross - tax - health - pension);
  const personnel = random.digits(5);
  const taxClass = random.whole(1, 5);
  const de = (value: number): string => amountIn('de', value);
  const rows: [string, number][] = [
    ['Gehalt', gross],
    ['Gesamtbrutto', gross],
    ['Lohnsteuer', -tax],
    ['Krankenversicherung', -health],
    ['Rentenversicherung', -pension],
    ['Auszahlungsbetrag', net],
  ];
  return {
    layout: 'german payslip',
    schema: object({
      arbeitgeber: text(),
      mitarbeiter: text('Name des Arbeitnehmers'),
      personalnummer: text(),
      steuerklasse: { type: 'integer' },
      abrechnungsmonat: text('Monat und Jahr der Abrechnung'),
      bruttolohn: number('Gesamtbrutto'),
      lohnsteuer: number(),
      krankenversicherung: number(),
      rentenversicherung: number(),
      auszahlungsbetrag: number('Nettobetrag, der überwiesen wird'),
    }),
    pages: [
      [
        { text: `${employer.name}, ${employer.street}, ${employer.town}`, x: 57, y: 120, size: 7 },
        ...column(57, 140, [random.pick(['Frau', 'Herrn']), person, 'Tannenweg 9', '72076 Tübingen']),
        ...column(350, 140, [
          `Personalnummer: ${personnel}`,
          `Steuerklasse: ${taxClass}`,
          `Eintritt: ${dotted(dayOf(random))}`,
        ]),
        bold(`Entgeltabrechnung ${monthName(day, 'de')} ${day.year}`, 57, 250, 13),
        ...rows.flatMap(([name, value], at) => [
          { text: name, x: 57, y: 290 + at * 18 },
          right(de(Math.abs(value)) + (value < 0 ? '-' : ''), 400, 290 + at * 18),
        ]),
        { text: 'Die Zahlung erfolgt auf das bekannte Konto.', x: 57, y: 430, size: 9 },
      ],
    ],
    gold: {
      arbeitgeber: employer.name,
      mitarbeiter: person,
      personalnummer: personnel,
      steuerklasse: taxClass,
      abrechnungsmonat: `${monthName(day, 'de')} ${day.year}`,
      bruttolohn: gross,
      lohnsteuer: tax,
      krankenversicherung: health,
      rentenversicherung: pension,
      auszahlungsbetrag: net,
    },
  };
};

/** An English rental contract: a table of particulars before the clauses. */
const englishRent: PaperLayout = (random) => {
  const landlord = random.pick(ENGLISH);
  const [tenant] = random.several(PEOPLE.en, 1) as [string];
  const flat = random.pick(['Apartment 4B, 1190 Juniper Street, Boise, ID 83702', '28 Lakeview Court, Bend, OR 97703']);
  const day = dayOf(random);
  const start = dayOf(random);
  const rent = random.whole(900, 2900);
  const deposit = random.whole(900, 4000);
  const months = random.pick([12, 18, 24]);
  const notice = random.pick([30, 45, 60]);
  const en = (value: number): string => `$${amountIn('en', value)}`;
  const us = (one: typeof day): string => `${monthName(one, 'en')} ${one.day}, ${one.year}`;
  return {
    layout: 'english rental contract',
    schema: object({
      landlord: text(),
      tenant: text('Name of the renter'),
      propertyAddress: text('Address of the rented premises'),
      agreementDate: date('Date the lease was made'),
      leaseStart: date('First day of the tenancy'),
      leaseTerm: { ...text('Length of the lease'), format: 'duration' },
      monthlyRent: number(),
      securityDeposit: number(),
      noticePeriod: { ...text(), format: 'duration' },
    }),
    pages: [
      [
        bold('RESIDENTIAL LEASE AGREEMENT', 60, 60, 13),
        ...prose(
          [
            `This Lease Agreement is made on ${us(day)} between ${landlord.name} ("Landlord") and ${tenant} ("Tenant").`,
            `1. PREMISES. Landlord leases to Tenant the premises located at ${flat}.`,
            `2. TERM. The lease begins on ${us(start)} and continues for a term of ${months} months.`,
            `3. RENT. Tenant shall pay rent of ${en(rent)} per month, due on the first day of each month. A late fee of $50.00 applies after five days.`,
            `4. SECURITY DEPOSIT. Upon signing, Tenant shall pay a security deposit of ${en(deposit)}.`,
            '5. UTILITIES. Tenant is responsible for electricity and water.',
            `6. TERMINATION. Either party may terminate this lease by giving at least ${notice} days' written notice.`,
            'IN WITNESS WHEREOF the parties have signed this lease.',
          ],
          60,
          100,
          470,
        ),
      ],
    ],
    gold: {
      landlord: landlord.name,
      tenant,
      propertyAddress: flat,
      agreementDate: day.iso,
      leaseStart: start.iso,
      leaseTerm: `P${months}M`,
      monthlyRent: rent,
      securityDeposit: deposit,
      noticePeriod: `P${notice}D`,
    },
  };
};

/** A Spanish employment contract in prose. */
const spanishWork: PaperLayout = (random) => {
  const employer = random.pick(SPANISH);
  const person = random.pick(PEOPLE.es);
  const day = dayOf(random);
  const start = dayOf(random);
  const wage = random.whole(15_000, 38_000);
  const hours = random.pick([20, 37, 40]);
  const trial = random.pick([
    ['dos meses', 'P2M'],
    ['seis meses', 'P6M'],
  ] as const);
  const notice = random.pick([
    ['quince días', 'P15D'],
    ['un mes', 'P1M'],
  ] as const);
  const job = random.pick(['mecánico', 'recepcionista', 'contable', 'enólogo']);
  return {
    layout: 'spanish employment contract',
    schema: object({
      empresa: text('Empresa que contrata'),
      trabajador: text('Nombre del trabajador'),
      puesto: text('Puesto de trabajo'),
      fecha_inicio: date('Fecha de inicio del contrato'),
      salario_anual: number('Salario bruto anual'),
      horas_semanales: number(),
      periodo_prueba: { ...text('Duración del período de prueba'), format: 'duration' },
      preaviso: { ...text('Plazo de preaviso'), format: 'duration' },
    }),
    pages: [
      [
        bold('CONTRATO DE TRABAJO INDEFINIDO', 60, 60, 13),
        ...prose(
          [
            `En Madrid, a ${day.day} de ${monthName(day, 'es')} de ${day.year}.`,
            'REUNIDOS',
            `De una parte, ${employer.name}, con domicilio en ${employer.street}, ${employer.town}, en adelante "la Empresa".`,
            `De otra parte, D./Dña. ${person}, con DNI ${random.digits(8)}K, en adelante "el Trabajador".`,
            'CLÁUSULAS',
            `PRIMERA. El trabajador prestará sus servicios como ${job}.`,
            `SEGUNDA. La jornada de trabajo será de ${hours} horas semanales.`,
            `TERCERA. El contrato es indefinido y comenzará el ${start.day} de ${monthName(start, 'es')} de ${start.year}. Se establece un período de prueba de ${trial[0]}.`,
            `CUARTA. El trabajador percibirá una retribución bruta anual de ${amountIn('es', wage)} euros.`,
            `QUINTA. En caso de baja voluntaria, el trabajador avisará con un preaviso de ${notice[0]}.`,
          ],
          60,
          100,
          470,
        ),
      ],
    ],
    gold: {
      empresa: employer.name,
      trabajador: person,
      puesto: job,
      fecha_inicio: start.iso,
      salario_anual: wage,
      horas_semanales: hours,
      periodo_prueba: trial[1],
      preaviso: notice[1],
    },
  };
};

/** A German invoice: addressee at the right without a label, numbers in a line of cells below a line of labels. */
const germanWindow: PaperLayout = (random) => {
  const [seller] = random.several(GERMAN.slice(0, 2), 1) as [Firm];
  const person = random.pick(PEOPLE.de);
  const buyer = random.pick(GERMAN.slice(2));
  const isPerson = random.chance(0.5);
  const lines = isPerson
    ? [random.pick(['Frau', 'Herr']), person, 'Kastanienring 22', '79540 Lörrach']
    : [buyer.name, buyer.street, buyer.town];
  const items = itemsOf(random, ['Speisekarten A4', 'Zählerschrank', 'Plakate', 'Arbeitszeit', 'Kleinmaterial']);
  const net = sumOf(items);
  const tax = cents(net * 0.19);
  const day = dayOf(random);
  const invoiceNumber = random.digits(7);
  const customerNumber = random.digits(5);
  const de = (value: number): string => amountIn('de', value);
  return {
    layout: 'german window',
    schema: object({
      nummer: text('Rechnungsnummer'),
      datum: date('Rechnungsdatum'),
      absender: text('Rechnungssteller'),
      rechnungsempfaenger: text('Name des Kunden, an den die Rechnung geht'),
      kundennummer: text(),
      positionen: list(
        object({ text: text('Bezeichnung der Leistung'), anzahl: number(), preis: number(), betrag: number() }),
      ),
      netto: number(),
      ust: number(),
      brutto: number('Rechnungsbetrag'),
    }),
    pages: [
      [
        bold(seller.name, 57, 45, 14),
        { text: [seller.name, seller.street, seller.town].join(' - '), x: 57, y: 110, size: 7 },
        ...column(57, 130, lines),
        bold('RECHNUNG', 57, 230, 14),
        ...['Kunden-Nr.', 'Rechnungs-Nr.', 'Rechnungsdatum'].map((name, at) => ({
          text: name,
          x: 57 + at * 130,
          y: 255,
          size: 9,
        })),
        ...[customerNumber, invoiceNumber, dotted(day)].map((name, at) => ({ text: name, x: 57 + at * 130, y: 269 })),
        ...['Leistung', 'Anzahl', 'Preis', 'Betrag EUR'].map((name, at) => ({
          text: name,
          x: [57, 310, 390, 470][at] ?? 0,
          y: 310,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.text, x: 57, y: 328 + at * 16 },
          right(String(item.quantity), 330, 328 + at * 16),
          right(de(item.price), 415, 328 + at * 16),
          right(de(item.amount), 525, 328 + at * 16),
        ]),
        ...[
          ['Summe netto', net],
          ['zzgl. 19 % USt.', tax],
          ['Rechnungsbetrag', cents(net + tax)],
        ].flatMap(([name, value], at) => [
          { text: String(name), x: 370, y: 420 + at * 16 },
          right(de(Number(value)), 525, 420 + at * 16),
        ]),
        ...column(57, 790, [`${seller.name} · Volksbank · IBAN DE89 3704 0044 0532 0130 00`], 8),
      ],
    ],
    gold: {
      nummer: invoiceNumber,
      datum: day.iso,
      absender: seller.name,
      rechnungsempfaenger: isPerson ? person : buyer.name,
      kundennummer: customerNumber,
      positionen: items.map((item) => ({
        text: item.text,
        anzahl: item.quantity,
        preis: item.price,
        betrag: item.amount,
      })),
      netto: net,
      ust: tax,
      brutto: cents(net + tax),
    },
  };
};

export const CHECKING_PAPERS: readonly PaperLayout[] = [
  spanishInvoice,
  americanInvoice,
  germanOrder,
  frenchDelivery,
  germanPayslip,
  englishRent,
  spanishWork,
  germanWindow,
];
