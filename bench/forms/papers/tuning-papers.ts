/** Office papers of the tuning half. */
import {
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
  written,
  type Paper,
  type PaperLayout,
} from './paper.ts';

const GERMAN = [
  firm('Holzbau Reinders GmbH', 'Am Sägewerk 4', '26603 Aurich'),
  firm('Tischlerei Pohlmann', 'Mühlenstraße 27', '49393 Lohne'),
  firm('Stadtwerke Einbeck AöR', 'Brunnenweg 11', '37574 Einbeck'),
  firm('Praxis Dr. Anneliese Kern', 'Lindenallee 3', '99423 Weimar'),
  firm('Kita Sonnenblume e. V.', 'Schulgasse 8', '01445 Radebeul'),
];
const FRENCH = [
  firm('Menuiserie Lambert SARL', '14 rue des Tanneurs', '35000 Rennes'),
  firm('Les Jardins de Clermont', '7 avenue Pasteur', '63000 Clermont-Ferrand'),
  firm('Garage du Pont Neuf SAS', '102 boulevard Voltaire', '31000 Toulouse'),
  firm('Mairie de Saint-Aubin', '1 place de la République', '21190 Saint-Aubin'),
];
const ENGLISH = [
  firm('Calder Valley Ironworks Ltd', '19 Wharf Street', 'Sowerby Bridge HX6 2AF'),
  firm('Pennant & Rowe Architects LLP', '4 Assembly Rooms Lane', 'Durham DH1 3EQ'),
  firm('Greystone Primary School', 'Mill Road', 'Ripon HG4 1PA'),
  firm('Lowther Farm Supplies', 'Unit 6 Eden Business Park', 'Penrith CA11 9BQ'),
];
const SPANISH = [
  firm('Conservas del Cantábrico S.A.', 'Calle del Puerto 22', '39740 Santoña'),
  firm('Ferretería Hermanos Ruiz S.L.', 'Avenida de la Constitución 15', '41001 Sevilla'),
  firm('Hostal Mirador', 'Plaza Mayor 3', '40001 Segovia'),
];
const PEOPLE = {
  de: ['Friederike Albers', 'Jonas Wittkopp', 'Petra Lohse', 'Murat Aydin'],
  fr: ['Camille Besson', 'Thierry Marchand', 'Nadia Lefèvre', 'Luc Perrin'],
  en: ['Margaret Holroyd', 'Owen Pritchard', 'Sunita Rao', 'Daniel Foxcroft'],
};

const ITEM_DE = object({
  bezeichnung: text(),
  menge: number(),
  einzelpreis: number(),
  gesamtpreis: number(),
});

/** A German letter: the sender's line in small print above the addressee, who has no label. */
const germanLetter: PaperLayout = (random): Paper => {
  const [seller, buyer] = random.several(GERMAN, 2) as [(typeof GERMAN)[0], (typeof GERMAN)[0]];
  const items = itemsOf(random, ['Eichenbohlen', 'Montage vor Ort', 'Fensterbank Buche', 'Anfahrt', 'Holzöl 5 l']);
  const net = sumOf(items);
  const tax = cents(net * 0.19);
  const day = dayOf(random);
  const invoiceNumber = `RE-${day.year}-${random.digits(4)}`;
  const customerNumber = random.digits(6);
  const de = (value: number): string => amountIn('de', value);
  const y0 = 360;
  return {
    layout: 'german letter',
    schema: object({
      rechnungsnummer: text('Nummer der Rechnung'),
      rechnungsdatum: date('Datum der Rechnung'),
      kunde: object({ name: text('Name des Rechnungsempfängers'), strasse: text(), ort: text('Postleitzahl und Ort') }),
      kundennummer: text(),
      lieferant: text('Firma, die die Rechnung stellt'),
      positionen: list(ITEM_DE, 'Alle Rechnungspositionen'),
      nettobetrag: number(),
      mehrwertsteuer: number(),
      gesamtbetrag: number('zu zahlender Betrag in Euro'),
    }),
    pages: [
      [
        bold(seller.name, 330, 60, 15),
        { text: `${seller.name} · ${seller.street} · ${seller.town}`, x: 57, y: 130, size: 7 },
        ...column(57, 150, [buyer.name, buyer.street, buyer.town], 11),
        ...column(370, 150, ['Rechnungsnr.:', 'Kundennr.:', 'Datum:']),
        ...column(460, 150, [invoiceNumber, customerNumber, dotted(day)]),
        bold('Rechnung', 57, 270),
        { text: 'Sehr geehrte Damen und Herren,', x: 57, y: 300 },
        { text: 'für unsere Leistungen erlauben wir uns zu berechnen:', x: 57, y: 316 },
        ...['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamt'].map((name, at) => ({
          text: name,
          x: [57, 95, 300, 380, 480][at] ?? 0,
          y: 340,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: String(at + 1), x: 57, y: y0 + at * 16 },
          { text: item.text, x: 95, y: y0 + at * 16 },
          right(String(item.quantity), 330, y0 + at * 16),
          right(de(item.price), 430, y0 + at * 16),
          right(de(item.amount), 520, y0 + at * 16),
        ]),
        ...[
          ['Zwischensumme (netto)', net],
          ['Umsatzsteuer 19 %', tax],
          ['Gesamtbetrag', cents(net + tax)],
        ].flatMap(([name, value], at) => [
          { text: String(name), x: 330, y: 470 + at * 16 },
          right(`${de(Number(value))} €`, 520, 470 + at * 16),
        ]),
        { text: 'Bitte überweisen Sie den Betrag innerhalb von 14 Tagen ohne Abzug.', x: 57, y: 560 },
        ...column(
          57,
          780,
          [
            `${seller.name}, ${seller.street}, ${seller.town}`,
            `Steuernummer ${random.digits(2)}/${random.digits(3)}/${random.digits(5)}`,
          ],
          8,
          11,
        ),
      ],
    ],
    gold: {
      rechnungsnummer: invoiceNumber,
      rechnungsdatum: day.iso,
      kunde: { name: buyer.name, strasse: buyer.street, ort: buyer.town },
      kundennummer: customerNumber,
      lieferant: seller.name,
      positionen: items.map((item) => ({
        bezeichnung: item.text,
        menge: item.quantity,
        einzelpreis: item.price,
        gesamtpreis: item.amount,
      })),
      nettobetrag: net,
      mehrwertsteuer: tax,
      gesamtbetrag: cents(net + tax),
    },
  };
};

/** A French invoice: the addressee's label is alone in a line of the right column. */
const frenchInvoice: PaperLayout = (random) => {
  const [seller, buyer] = random.several(FRENCH, 2) as [(typeof FRENCH)[0], (typeof FRENCH)[0]];
  const items = itemsOf(random, [
    'Pose de parquet',
    'Vidange et filtres',
    'Taille de haies',
    'Porte en chêne',
    'Déplacement',
  ]);
  const net = sumOf(items);
  const tax = cents(net * 0.2);
  const day = dayOf(random);
  const due = dayOf(random);
  const invoiceNumber = `F${day.year}${random.digits(4)}`;
  const fr = (value: number): string => amountIn('fr', value);
  const label = random.pick(['Facturé à', 'Adressé à :', 'Client']);
  return {
    layout: 'french invoice',
    schema: object({
      numero_facture: text('Numéro de la facture'),
      date_facture: date("Date d'émission"),
      date_echeance: date('Date limite de paiement'),
      fournisseur: text('Entreprise qui émet la facture'),
      client: text('Nom du client facturé'),
      adresse_client: text('Adresse complète du client'),
      lignes: list(object({ designation: text(), quantite: number(), prix_unitaire: number(), montant: number() })),
      total_ht: number(),
      tva: number('Montant de la TVA'),
      total_ttc: number(),
      devise: { type: 'string', enum: ['EUR', 'USD', 'CHF'] },
    }),
    pages: [
      [
        bold(seller.name, 50, 60, 14),
        ...column(50, 78, [seller.street, seller.town, `SIRET ${random.digits(14)}`], 9, 12),
        bold(`FACTURE N° ${invoiceNumber}`, 50, 150, 14),
        ...column(50, 170, [`Date : ${slashed(day)}`, `Échéance : ${slashed(due)}`]),
        { text: label, x: 340, y: 120, bold: true },
        ...column(340, 136, [buyer.name, buyer.street, buyer.town]),
        ...['Désignation', 'Qté', 'P.U. HT', 'Montant HT'].map((name, at) => ({
          text: name,
          x: [50, 300, 370, 460][at] ?? 0,
          y: 260,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.text, x: 50, y: 282 + at * 18 },
          right(String(item.quantity), 320, 282 + at * 18),
          right(`${fr(item.price)} €`, 420, 282 + at * 18),
          right(`${fr(item.amount)} €`, 530, 282 + at * 18),
        ]),
        ...[
          ['Total HT', net],
          ['TVA 20 %', tax],
          ['Total TTC', cents(net + tax)],
        ].flatMap(([name, value], at) => [
          { text: String(name), x: 370, y: 400 + at * 18 },
          right(`${fr(Number(value))} €`, 530, 400 + at * 18),
        ]),
        { text: 'En cas de retard, une indemnité forfaitaire de 40,00 € est due.', x: 50, y: 520, size: 8 },
      ],
    ],
    gold: {
      numero_facture: invoiceNumber,
      date_facture: day.iso,
      date_echeance: due.iso,
      fournisseur: seller.name,
      client: buyer.name,
      adresse_client: `${buyer.street}, ${buyer.town}`,
      lignes: items.map((item) => ({
        designation: item.text,
        quantite: item.quantity,
        prix_unitaire: item.price,
        montant: item.amount,
      })),
      total_ht: net,
      tva: tax,
      total_ttc: cents(net + tax),
      devise: 'EUR',
    },
  };
};

/** An English purchase order: supplier and place of delivery beside each other. */
const englishOrder: PaperLayout = (random) => {
  const [buyer, seller] = random.several(ENGLISH, 2) as [(typeof ENGLISH)[0], (typeof ENGLISH)[0]];
  const items = itemsOf(random, [
    'Galvanised hinge',
    'Gate latch',
    'Fence post 1.8 m',
    'Wire mesh roll',
    'Cement 25 kg',
  ]);
  const total = sumOf(items);
  const day = dayOf(random);
  const wanted = dayOf(random);
  const orderNumber = `PO${random.digits(6)}`;
  const person = random.pick(PEOPLE.en);
  const en = (value: number): string => `£${amountIn('en', value)}`;
  return {
    layout: 'english order',
    schema: object({
      orderNumber: text('Purchase order number'),
      orderDate: date(),
      deliveryDate: date('Requested delivery date'),
      supplier: text('Company the order is placed with'),
      buyer: text('Organisation placing the order'),
      contactPerson: text('Person who placed the order'),
      items: list(
        object({
          sku: text(),
          description: text(),
          quantity: { type: 'integer' },
          unitPrice: number(),
          lineTotal: number(),
        }),
      ),
      total: number('Order total'),
    }),
    pages: [
      [
        bold(buyer.name, 50, 50, 13),
        ...column(50, 66, [`${buyer.street}, ${buyer.town}`], 9),
        bold('PURCHASE ORDER', 360, 56),
        ...column(360, 80, ['PO number', 'Order date', 'Required by', 'Ordered by']),
        ...column(450, 80, [orderNumber, written(day, 'en'), written(wanted, 'en'), person]),
        { text: 'Supplier', x: 50, y: 160, bold: true },
        ...column(50, 176, [seller.name, seller.street, seller.town]),
        { text: 'Deliver to', x: 310, y: 160, bold: true },
        ...column(310, 176, ['Goods inwards', buyer.street, buyer.town]),
        ...['Code', 'Description', 'Qty', 'Unit price', 'Amount'].map((name, at) => ({
          text: name,
          x: [50, 110, 310, 380, 470][at] ?? 0,
          y: 250,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.code, x: 50, y: 270 + at * 16 },
          { text: item.text, x: 110, y: 270 + at * 16 },
          right(String(item.quantity), 330, 270 + at * 16),
          right(en(item.price), 430, 270 + at * 16),
          right(en(item.amount), 520, 270 + at * 16),
        ]),
        { text: 'Order total (excl. VAT)', x: 360, y: 390 },
        right(en(total), 520, 390),
        { text: 'Please quote the PO number on all correspondence.', x: 50, y: 440, size: 9 },
      ],
    ],
    gold: {
      orderNumber,
      orderDate: day.iso,
      deliveryDate: wanted.iso,
      supplier: seller.name,
      buyer: buyer.name,
      contactPerson: person,
      items: items.map((item) => ({
        sku: item.code,
        description: item.text,
        quantity: item.quantity,
        unitPrice: item.price,
        lineTotal: item.amount,
      })),
      total,
    },
  };
};

/** A Spanish delivery note as a web page. */
const spanishDelivery: PaperLayout = (random) => {
  const [seller, buyer] = random.several(SPANISH, 2) as [(typeof SPANISH)[0], (typeof SPANISH)[0]];
  const items = itemsOf(random, ['Anchoas en aceite', 'Bonito del norte', 'Tornillos M6', 'Pintura blanca', 'Sábanas']);
  const day = dayOf(random);
  const noteNumber = `A-${random.digits(5)}`;
  const orderNumber = `PED-${random.digits(4)}`;
  const carrier = random.pick(['Transportes Bidasoa', 'Mensajería Rápida del Sur', 'Recogida en tienda']);
  return {
    layout: 'spanish delivery note',
    schema: object({
      numero_albaran: text('Número del albarán'),
      fecha: date('Fecha del albarán'),
      numero_pedido: text('Pedido del cliente'),
      cliente: text('Nombre del destinatario'),
      transportista: text('Empresa de transporte'),
      articulos: list(object({ referencia: text(), descripcion: text(), cantidad: number() }), 'Artículos entregados'),
    }),
    pages: [],
    html:
      `<html lang="es"><head><title>Albarán ${noteNumber}</title></head><body><h1>ALBARÁN DE ENTREGA</h1>` +
      `<p>${seller.name}<br>${seller.street}<br>${seller.town}</p>` +
      `<table><tr><td>Albarán n.º</td><td>${noteNumber}</td><td>Fecha</td><td>${slashed(day)}</td></tr>` +
      `<tr><td>Su pedido</td><td>${orderNumber}</td><td>Transportista</td><td>${carrier}</td></tr></table>` +
      `<p><b>Destinatario</b></p><p>${buyer.name}<br>${buyer.street}<br>${buyer.town}</p>` +
      `<table><tr><th>Referencia</th><th>Descripción</th><th>Cantidad</th><th>Bultos</th></tr>` +
      items
        .map(
          ({ code, text: good, quantity }) => `<tr><td>${code}</td><td>${good}</td><td>${quantity}</td><td>1</td></tr>`,
        )
        .join('') +
      '</table><p>Recibido conforme: ______________</p></body></html>',
    gold: {
      numero_albaran: noteNumber,
      fecha: day.iso,
      numero_pedido: orderNumber,
      cliente: buyer.name,
      transportista: carrier,
      articulos: items.map((item) => ({ referencia: item.code, descripcion: item.text, cantidad: item.quantity })),
    },
  };
};

/** An English payslip: payments and deductions beside each other. */
const englishPayslip: PaperLayout = (random) => {
  const employer = random.pick(ENGLISH);
  const person = random.pick(PEOPLE.en);
  const day = dayOf(random);
  const basic = cents(random.whole(180_000, 420_000) / 100);
  const overtime = cents(random.whole(2_000, 30_000) / 100);
  const tax = cents(basic * 0.14);
  const insurance = cents(basic * 0.08);
  const pension = cents(basic * 0.05);
  const gross = cents(basic + overtime);
  const deductions = cents(tax + insurance + pension);
  const net = cents(gross - deductions);
  const ni = `QQ ${random.digits(2)} ${random.digits(2)} ${random.digits(2)} C`;
  const number_ = random.digits(4);
  const en = (value: number): string => amountIn('en', value);
  const code = random.pick(['1257L', '1100L', 'BR']);
  const pairs = (rows: readonly (readonly [string, number])[], x: number, to: number): PlacedRow =>
    rows.flatMap(([name, value], at) => [{ text: name, x, y: 230 + at * 16 }, right(en(value), to, 230 + at * 16)]);
  return {
    layout: 'english payslip',
    schema: object({
      employer: text(),
      employee: object({ name: text(), number: text('Employee or payroll number'), nationalInsuranceNumber: text() }),
      payDate: date(),
      taxCode: text(),
      basicPay: number(),
      overtime: number(),
      incomeTax: number('PAYE tax deducted'),
      nationalInsurance: number('National Insurance contribution deducted'),
      pension: number(),
      grossPay: number(),
      totalDeductions: number(),
      netPay: number('Amount paid to the employee'),
    }),
    pages: [
      [
        bold(employer.name, 50, 50, 13),
        { text: 'Payslip', x: 470, y: 50, size: 13 },
        ...column(50, 90, ['Employee', 'Employee no.', 'NI number']),
        ...column(140, 90, [person, number_, ni]),
        ...column(330, 90, ['Pay date', 'Tax code', 'Period']),
        ...column(420, 90, [written(day, 'en'), code, `${monthName(day, 'en')} ${day.year}`]),
        { text: 'Payments', x: 50, y: 205, bold: true },
        { text: 'Deductions', x: 310, y: 205, bold: true },
        ...pairs(
          [
            ['Basic pay', basic],
            ['Overtime', overtime],
          ],
          50,
          270,
        ),
        ...pairs(
          [
            ['PAYE tax', tax],
            ['National Insurance', insurance],
            ['Pension', pension],
          ],
          310,
          530,
        ),
        { text: 'Gross pay', x: 50, y: 320, bold: true },
        right(en(gross), 270, 320),
        { text: 'Total deductions', x: 310, y: 320, bold: true },
        right(en(deductions), 530, 320),
        { text: 'NET PAY', x: 310, y: 360, bold: true },
        right(`£${en(net)}`, 530, 360),
      ],
    ],
    gold: {
      employer: employer.name,
      employee: { name: person, number: number_, nationalInsuranceNumber: ni },
      payDate: day.iso,
      taxCode: code,
      basicPay: basic,
      overtime,
      incomeTax: tax,
      nationalInsurance: insurance,
      pension,
      grossPay: gross,
      totalDeductions: deductions,
      netPay: net,
    },
  };
};

type PlacedRow = ReturnType<typeof column>;

/** A German rental contract in prose with numbered clauses. */
const germanRent: PaperLayout = (random) => {
  const [landlord, tenant] = random.several(PEOPLE.de, 2) as [string, string];
  const [own, flat] = random.several(GERMAN, 2) as [(typeof GERMAN)[0], (typeof GERMAN)[0]];
  const day = dayOf(random);
  const start = dayOf(random);
  const rent = random.whole(420, 1600);
  const extra = random.whole(80, 300);
  const deposit = rent * 3;
  const months = random.pick([
    ['drei Monate', 'P3M'],
    ['zwei Monate', 'P2M'],
  ] as const);
  const size = random.whole(38, 120);
  const de = (value: number): string => amountIn('de', value);
  return {
    layout: 'german rental contract',
    schema: object({
      vermieter: text('Name des Vermieters'),
      mieter: text('Name des Mieters'),
      mietobjekt: text('Anschrift der Wohnung'),
      mietbeginn: date('Beginn des Mietverhältnisses'),
      kaltmiete: number('monatliche Grundmiete'),
      nebenkosten: number('monatliche Vorauszahlung auf Betriebskosten'),
      kaution: number(),
      wohnflaeche: number('Wohnfläche in Quadratmetern'),
      vertragsdatum: date('Datum der Unterschrift'),
    }),
    pages: [
      [
        bold('Wohnraummietvertrag', 60, 60),
        ...prose(
          [
            `Zwischen ${landlord}, ${own.street}, ${own.town} – nachfolgend Vermieter genannt –`,
            `und ${tenant}, derzeit wohnhaft in ${own.town.slice(0, 5)} ${own.town.slice(6)} – nachfolgend Mieter genannt – wird folgender Mietvertrag geschlossen:`,
            '§ 1 Mietsache',
            `Vermietet wird die Wohnung ${flat.street}, ${flat.town}, 2. Obergeschoss links, bestehend aus drei Zimmern, Küche und Bad. Die Wohnfläche beträgt ${size} m².`,
            '§ 2 Mietzeit',
            `Das Mietverhältnis beginnt am ${dotted(start)} und läuft auf unbestimmte Zeit. Es kann mit einer Frist von ${months[0]}n zum Monatsende gekündigt werden.`,
            '§ 3 Miete und Nebenkosten',
            `Die monatliche Grundmiete beträgt ${de(rent)} EUR. Daneben leistet der Mieter eine monatliche Vorauszahlung auf die Betriebskosten in Höhe von ${de(extra)} EUR.`,
            '§ 4 Kaution',
            `Der Mieter zahlt eine Kaution in Höhe von ${de(deposit)} EUR bei Übergabe der Schlüssel.`,
            `${flat.town.slice(6)}, den ${dotted(day)}`,
            'Vermieter                                              Mieter',
          ],
          60,
          100,
          470,
        ),
      ],
    ],
    gold: {
      vermieter: landlord,
      mieter: tenant,
      mietobjekt: `${flat.street}, ${flat.town}`,
      mietbeginn: start.iso,
      kaltmiete: rent,
      nebenkosten: extra,
      kaution: deposit,
      wohnflaeche: size,
      vertragsdatum: day.iso,
    },
  };
};

/** A French employment contract in prose. */
const frenchWork: PaperLayout = (random) => {
  const employer = random.pick(FRENCH);
  const person = random.pick(PEOPLE.fr);
  const day = dayOf(random);
  const start = dayOf(random);
  const wage = random.whole(1800, 4200);
  const hours = random.pick([35, 37, 39]);
  const trial = random.pick([
    ['deux mois', 'P2M'],
    ['trois mois', 'P3M'],
  ] as const);
  const notice = random.pick([
    ['un mois', 'P1M'],
    ['deux mois', 'P2M'],
  ] as const);
  const job = random.pick(['comptable', 'chef de chantier', 'assistante de direction', 'mécanicien']);
  return {
    layout: 'french employment contract',
    schema: object({
      employeur: text('Société qui embauche'),
      salarie: text('Nom du salarié'),
      poste: text('Fonction du salarié'),
      date_debut: date("Date d'entrée en fonction"),
      salaire_mensuel: number('Salaire brut mensuel'),
      heures_par_semaine: number('Durée hebdomadaire du travail en heures'),
      periode_essai: { ...text("Durée de la période d'essai"), format: 'duration' },
      preavis: { ...text('Délai de préavis'), format: 'duration' },
    }),
    pages: [
      [
        bold('CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE', 60, 60, 13),
        ...prose(
          [
            'Entre les soussignés :',
            `La société ${employer.name}, dont le siège social est situé ${employer.street}, ${employer.town}, ci-après dénommée « l'employeur »,`,
            `et ${random.pick(['Madame', 'Monsieur'])} ${person}, demeurant 3 rue du Moulin, 44000 Nantes, ci-après « le salarié »,`,
            'il a été convenu ce qui suit :',
            'Article 1 - Engagement',
            `Le salarié est engagé à compter du ${written(start, 'fr')} en qualité de ${job}. Le contrat ne deviendra définitif qu'à l'issue d'une période d'essai de ${trial[0]}.`,
            'Article 2 - Rémunération',
            `En contrepartie de son travail, le salarié percevra une rémunération mensuelle brute de ${amountIn('fr', wage)} euros.`,
            'Article 3 - Durée du travail',
            `La durée hebdomadaire de travail est fixée à ${hours} heures.`,
            'Article 4 - Rupture du contrat',
            `Après la période d'essai, chacune des parties pourra rompre le contrat en respectant un préavis de ${notice[0]}.`,
            `Fait à Nantes, le ${written(day, 'fr')}, en deux exemplaires.`,
          ],
          60,
          100,
          470,
        ),
      ],
    ],
    gold: {
      employeur: employer.name,
      salarie: person,
      poste: job,
      date_debut: start.iso,
      salaire_mensuel: wage,
      heures_par_semaine: hours,
      periode_essai: trial[1],
      preavis: notice[1],
    },
  };
};

/** An English invoice to a person, without labels of the parties; the customer's number repeats below the name. */
const englishLetter: PaperLayout = (random) => {
  const seller = random.pick(ENGLISH);
  const person = random.pick(PEOPLE.en);
  const items = itemsOf(random, ['Site survey', 'Planning drawings', 'Printing', 'Welding of railings', 'Call-out']);
  const total = sumOf(items);
  const day = dayOf(random);
  const invoiceNumber = random.digits(5);
  const customerNumber = `C${random.digits(4)}`;
  const en = (value: number): string => amountIn('en', value);
  return {
    layout: 'english letter',
    schema: object({
      invoice_number: text(),
      invoice_date: date(),
      customer_name: text(),
      customer_number: text('Our reference for the customer'),
      seller_name: text(),
      line_items: list(object({ description: text(), quantity: number(), rate: number(), amount: number() })),
      amount_due: number(),
    }),
    pages: [
      [
        right(seller.name, 540, 50, 13),
        right(seller.street, 540, 66, 9),
        right(seller.town, 540, 78, 9),
        right('Telephone 0113 496 0241', 540, 90, 9),
        ...column(60, 140, [random.pick([`Ms ${person}`, person]), '12 Beck Terrace', 'Otley', 'LS21 3DX']),
        { text: written(day, 'en'), x: 60, y: 215 },
        { text: `Invoice ${invoiceNumber}`, x: 60, y: 240, size: 13, bold: true },
        { text: `Customer ${customerNumber}`, x: 60, y: 256 },
        ...['Work', 'Hours', 'Rate', 'Amount'].map((name, at) => ({
          text: name,
          x: [60, 310, 390, 480][at] ?? 0,
          y: 290,
          bold: true,
        })),
        ...items.flatMap((item, at) => [
          { text: item.text, x: 60, y: 310 + at * 16 },
          right(String(item.quantity), 335, 310 + at * 16),
          right(en(item.price), 420, 310 + at * 16),
          right(en(item.amount), 520, 310 + at * 16),
        ]),
        { text: 'Amount due', x: 390, y: 420, bold: true },
        right(`£${en(total)}`, 520, 420),
        { text: 'Payment within 30 days to sort code 20-00-00, account 12345678.', x: 60, y: 470 },
      ],
    ],
    gold: {
      invoice_number: invoiceNumber,
      invoice_date: day.iso,
      customer_name: person,
      customer_number: customerNumber,
      seller_name: seller.name,
      line_items: items.map((item) => ({
        description: item.text,
        quantity: item.quantity,
        rate: item.price,
        amount: item.amount,
      })),
      amount_due: total,
    },
  };
};

export const TUNING_PAPERS: readonly PaperLayout[] = [
  germanLetter,
  frenchInvoice,
  englishOrder,
  spanishDelivery,
  englishPayslip,
  germanRent,
  frenchWork,
  englishLetter,
];
