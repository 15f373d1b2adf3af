import { crossedPhrases } from '../crossed-phrases.ts';
import { compoundNumbers } from '../compound-numbers.ts';
import type { ExtractionLanguage } from '../language.ts';

/** First words of sums, whose tax is named behind up to three other words. */
const SUMS = `
  summe … | rechnungssumme … | gesamtsumme … | gesamtbetrag … | gesamt … | betrag … | rechnungsbetrag … | endbetrag … |
  gesamtpreis … | endsumme …
`;
const TAXES = 'ust | mwst | mehrwertsteuer | umsatzsteuer | steuer';
const WITH_TAX = 'inkl | incl | inklusive | einschl | einschliesslich | mit';
const WITHOUT_TAX = 'ohne | exkl | excl | exklusive | vor';

export const german: ExtractionLanguage = {
  language: 'de',
  labels: {
    documentNumber: `
      rechnungsnummer | rechnungsnr | rechnung nr | rechnungs nr | rechnung nummer | belegnummer | beleg nr |
      rechnungskorrektur nr | gutschrift nr | schlussrechnung nr | teilrechnung nr | abschlagsrechnung nr
    `,
    documentDate: 'rechnungsdatum | belegdatum | datum',
    dueDate: `
      zahlungsziel | fallig am | fallig | falligkeitsdatum | falligkeitstag | falligkeit | zahlbar bis | zahlbar bis zum | zahlbar … bis |
      zu zahlen bis
    `,
    orderDate: 'bestelldatum | auftragsdatum',
    deliveryDate:
      'gewunschter liefertermin | lieferung bis | lieferdatum | lieferscheindatum | leistungsdatum | liefertermin',
    startDate: 'beginn | von | startdatum',
    endDate: 'bis | enddatum | ablaufdatum | gultig bis',
    effectiveDate: `
      in kraft ab | datum des inkrafttretens | vertragsbeginn | tritt am | tritt zum | tritt mit wirkung zum |
      tritt mit wirkung vom | wirkung zum | wirkung ab | beginnt am
    `,
    birthDate: 'geburtsdatum | geboren am | geboren',
    time: 'uhrzeit',
    total: `
      gesamtbetrag | gesamtsumme | rechnungsbetrag | endbetrag | bruttobetrag | brutto | zu zahlen | zahlbetrag |
      rechnungssumme | zu zahlender betrag | bruttosumme | rechnungssumme brutto | summe brutto | gesamt brutto |
      endsumme | endpreis | ${crossedPhrases(SUMS, WITH_TAX, TAXES)}
    `,
    subtotal: `
      nettobetrag | netto | zwischensumme | summe netto | gesamt netto | netto gesamt | nettosumme | netto summe |
      rechnungssumme netto | gesamtbetrag netto | gesamtsumme netto | rechnungsbetrag netto | warenwert | nettowarenwert |
      positionssumme | summe der positionen | steuerbasisbetrag | basisbetrag | bemessungsgrundlage |
      ${crossedPhrases(SUMS, WITHOUT_TAX, TAXES)}
    `,
    tax: 'mwst | mwst betrag | mehrwertsteuer | umsatzsteuer | ust | steuer | steuerbetrag',
    taxRate: 'steuersatz | mwst satz | ust satz | mwst %',
    discount: 'rabatt | nachlass | skonto',
    shipping: 'versand | versandkosten',
    tip: 'trinkgeld',
    serviceCharge: 'servicegebuhr | bearbeitungsgebuhr',
    rounding: 'rundung',
    paid: 'gezahlt | bezahlt | bar | gegeben | anzahlung | anzahlungen | bereits gezahlt | bereits bezahlt',
    change: 'ruckgeld | wechselgeld | zuruck',
    balance: 'saldo | offener betrag',
    totalQuantity: 'gesamtmenge',
    quantity: 'menge | anzahl | stuck | stk | stunden',
    unitPrice:
      'einzelpreis | stuckpreis | preis | e preis | ep | vk preis | preis pro einheit | einzelpreis netto | nettopreis | nettoeinzelpreis | preis einheit | preis je einheit',
    lineTotal:
      'gesamtpreis | gesamt | betrag | zeilenbetrag | summe | gesamt netto | positionsbetrag | positionssumme | positionswert',
    description: `
      beschreibung | bezeichnung | artikel | artikelbezeichnung | leistung | produkt | position text |
      leistungsbeschreibung | artikelbeschreibung | beschreibung der leistung
    `,
    itemCode: 'artikelnummer | artikelnr | artikel nr | art nr',
    unit: 'einheit | me',
    vendorName: `verkaufer | lieferant | rechnungssteller | rechnungsersteller | firma | anbieter | aussteller | absender | rechnungsaussteller`,
    vendorAddress: 'anschrift | adresse | firmensitz | sitz',
    customerName: `
      kunde | kundenname | rechnungsempfanger | empfanger | kaufer | kaufer leistungsempfanger | rechnung an | auftraggeber |
      leistungsempfanger
    `,
    customerAddress: 'rechnungsadresse | rechnungsanschrift | kundenadresse',
    shippingAddress: 'lieferadresse | lieferanschrift',
    customerNumber: 'kundennummer | kundennr | kunden nr | kdnr | kd nr',
    orderNumber:
      'ihre bestellung | ihre bestellnummer | bestellnummer | bestellnr | auftragsnummer | auftragsnr | auftrag nr',
    reference: 'referenz | zeichen | ihr zeichen | unser zeichen',
    paymentReference: 'verwendungszweck | zahlungsreferenz',
    mandate: 'mandatsreferenz | mandat',
    contractNumber: 'vertragsnummer | vertragsnr | polizzennummer',
    caseNumber: 'aktenzeichen | geschaftszeichen',
    taxId: `
      ust id | ust idnr | ust id nr | umsatzsteuer id | umsatzsteuer identifikationsnummer | ustid | uid |
      uid nr | steuernummer | steuer nr | ust idnr de | umsatzsteuer id nr | ust ident nr
    `,
    companyNumber: 'handelsregister | hrb | handelsregisternummer',
    iban: 'kontonummer | konto',
    bankName: 'kreditinstitut',
    phone: 'telefon | telefonnummer',
    mobile: 'mobil | handy',
    fax: 'telefax',
    website: 'webseite',
    currency: 'wahrung',
    street: 'strasse',
    city: 'ort | stadt',
    zip: 'plz | postleitzahl',
    state: 'bundesland | kanton',
    country: 'land',
    paymentMethod: 'zahlungsart | zahlungsform | zahlungsmethode | zahlungsweise',
    paymentTerms: 'zahlungsbedingungen | zahlungskonditionen',
    incoterm: 'lieferbedingungen',
    cashier: 'kassierer | bediener',
    salesperson: 'sachbearbeiter | bearbeiter | ansprechpartner',
    personName: 'vollstandiger name',
    firstName: 'vorname',
    lastName: 'nachname | familienname',
    gender: 'geschlecht',
    nationality: 'staatsangehorigkeit',
    jobTitle: 'beruf | berufsbezeichnung',
    employer: 'arbeitgeber',
    jurisdiction: 'anwendbares recht | gerichtsstand',
    term: 'laufzeit | vertragslaufzeit | vertragsdauer | dauer | mindestlaufzeit',
    noticePeriod: 'kundigungsfrist | frist zur kundigung',
    parties: 'vertragsparteien | partei',
    notes: 'bemerkung | bemerkungen | hinweis | anmerkung',
  },
  generalLabels: {
    total: 'summe | gesamt',
  },
  weakLabels: {
    documentNumber: 'rechnung | gutschrift | rechnungskorrektur',
    documentDate: 'nr … vom | nummer … vom',
    vendorName: 'von',
    customerName: 'an',
    total: 'betrag',
    orderNumber: 'bestellung',
  },
  nameLabels: 'name | firma',
  genericWords: 'der | die | das | des | den | nummer',
  yes: 'ja | wahr',
  no: 'nein | falsch',
  asPrinted: 'wie gedruckt',
  compoundHeads: 'rechnung | steuer',
  months: { mrz: 3 },
  periods: { between: 'bis', ongoing: 'heute | jetzt | laufend | dato' },
  sections: {
    experience: 'berufserfahrung | beruflicher werdegang | berufliche stationen | berufspraxis',
    education: 'ausbildung | bildungsweg | studium | schulbildung',
    publications: 'publikationen | veroffentlichungen',
    certifications: 'zertifikate',
    awards: 'auszeichnungen | preise',
    projects: 'projekte',
  },
  employedAt: 'bei',
  schools: 'universität | hochschule | fachhochschule | gymnasium | schule | akademie | institut',
  durations: {
    numbers: {
      ein: 1,
      eine: 1,
      einen: 1,
      einem: 1,
      einer: 1,
      eines: 1,
      zwei: 2,
      drei: 3,
      vier: 4,
      fünf: 5,
      sechs: 6,
      sieben: 7,
      acht: 8,
      neun: 9,
      zehn: 10,
      elf: 11,
      zwölf: 12,
      vierzehn: 14,
      fünfzehn: 15,
      achtzehn: 18,
      zwanzig: 20,
      dreißig: 30,
      sechzig: 60,
      neunzig: 90,
      dreizehn: 13,
      sechzehn: 16,
      siebzehn: 17,
      neunzehn: 19,
      vierzig: 40,
      fünfzig: 50,
      siebzig: 70,
      achtzig: 80,
      ...compoundNumbers(
        'zwanzig | dreißig | vierzig | fünfzig | sechzig | siebzig | achtzig | neunzig',
        'ein | zwei | drei | vier | fünf | sechs | sieben | acht | neun',
        (ten, unit) => [`${unit}und${ten}`],
      ),
    },
    units: {
      day: 'tag | tage | tagen',
      week: 'woche | wochen',
      month: 'monat | monate | monaten | monats',
      year: 'jahr | jahre | jahren | jahres',
    },
  },
  companies: {
    legalForms: String.raw`gmbh(?:\s*&\s*co\.?\s*kg)? | g\.m\.b\.h | ag | kg | ohg | ug | gbr | eg | e\.k | e\.v | a\.g | se`,
    shortLegalForms: 'AG | KG | UG | SE | eG | GbR | OHG',
    particles: 'und | von | der | den',
    businessWords: 'apotheke | metzgerei | bäckerei | verein',
  },
  personTitles: String.raw`herrn? | frau | dr | familie`,
  documentTitles: String.raw`\p{L}*rechnung | rechnungs-?korrektur | gutschrift | quittung | lieferschein | angebot | mahnung | seite`,
  streets: {
    suffixes: 'strasse | straße | str | weg | platz | gasse | allee | ring | ufer | damm',
    clearSuffixes: 'strasse | straße | gasse | allee | damm | ufer',
  },
  agreements: {
    openings: [String.raw`\b[Zz]wischen\b`],
    between: 'zwischen',
    and: 'und',
    partyLeads: 'der | die | dem | den | firma | herr | herrn | frau',
    roles: `
      auftraggeber | auftragnehmer | kunde | lieferant | verkaufer | kaufer | vermieter | mieter | arbeitgeber |
      arbeitnehmer | lizenzgeber | lizenznehmer | dienstleister
    `,
    inForce: String.raw`
      dauer\s+von | laufzeit\s+(?:von|beträgt) | gilt\s+für | endet\s+nach | läuft\s+für
    `,
    notice: String.raw`kündigungsfrist | frist\s+von | gekündigt | kündigen | kündigung`,
    deadline: String.raw`innerhalb\s+von | binnen`,
    since: String.raw`nach | ab\s+Zugang | seit`,
    afterEnd: String.raw`danach | nach\s+(?:ihrem|seinem|dem)\s+Ende`,
    restraint: String.raw`abwerb\w+ | wettbewerb\w*`,
    ending: String.raw`kündig\w+ | gekündigt | Kündigung\w* | verlänger\w+ | beend\w+`,
    breach: String.raw`verletz\w+ | Verstoß\w* | Verzug\w* | Prüfung\w*`,
    definers: String.raw`nachfolgend | nachstehend | im\s+Folgenden`,
    partyDescriptions: 'nachfolgend | nachstehend | im Folgenden | wohnhaft',
    governingLaw: [
      /(?:unterliegt|gilt|untersteht|findet)[^.;]{0,60}?\s(?<place>\p{L}{4,}(?:em|es|e))\s+Recht(?!\p{L})/u,
      /(?:unterliegt|gilt|untersteht)[^.;]{0,60}?\sRecht\s+(?:der|des|von)\s+(?:Bundesrepublik\s+|Republik\s+|Kantons\s+)?(?<place>\p{Lu}\p{L}+)/u,
    ],
  },
};
