/**
 * Makes question sets from `business.tsv`: `npm run bench:business -- OUT`. The documents are those of `business.txt`,
 * and 96 of the same kinds without a question, which are generated here.
 */
import { rowsOf } from './question-sets.ts';
import { documentOf, documentsIn, writeTwoHalves } from './two-documents.ts';
import type { QaDocument } from '../qa-sets.ts';

interface Other {
  company: string;
  person: string;
  town: string;
  thing: string;
}

const zipped = (companies: string, persons: string, towns: string, things: string): Other[] => {
  const [company, person, town, thing] = [companies, persons, towns, things].map((list) => list.split('; '));
  return (company ?? []).map((name, at) => ({
    company: name,
    person: person?.[at] ?? '',
    town: town?.[at] ?? '',
    thing: thing?.[at] ?? '',
  }));
};

const ENGLISH = zipped(
  'Castlegate Bearings; Osprey Packaging; Tyndale Cables; Wexcombe Motors; Fairholm Plastics; Larkfield Tools',
  'Judith Amery; Samuel Okoro; Peter Hallam; Nora Fitch; Graham Tully; Leila Haddad',
  'Derby; Swindon; Paisley; Norwich; Preston; Exeter',
  'bearings; crates; cables; electric motors; impellers; spanners',
);
const GERMAN = zipped(
  'Beschläge Kessler; Polster Reinhold; Glas Thieme; Leim Hartung; Maschinen Oltmann; Kartonagen Weiss',
  'Petra Kessler; Dirk Reinhold; Ute Thieme; Frank Hartung; Silke Oltmann; Georg Weiss',
  'Velbert; Coburg; Weiden; Soest; Verden; Gießen',
  'Beschläge; Polster; Glasplatten; Leim; Sägen; Kartons',
);
const FRENCH = zipped(
  'Verrerie Lambert; Caves Roussel; Emballages Faure; Énergie Vallon; Laboratoire Meunier; Garage Teyssier',
  'Agnès Lambert; Hugo Roussel; Claire Faure; Denis Vallon; Odile Meunier; Serge Teyssier',
  'Albi; Mende; Tulle; Figeac; Cahors; Aubenas',
  'bocaux; caves; boîtes; chaudières; analyses; pneus',
);
const SPANISH = zipped(
  'Jardines Olmeda; Textiles Barreda; Pescados Roca; Vinos Talavera; Piscinas Marbella Sur; Imprenta Quijano',
  'Raúl Olmeda; Teresa Barreda; Jaime Roca; Elena Talavera; Óscar Bueno; Pilar Quijano',
  'Elche; Alcoy; Denia; Requena; Estepona; Cuenca',
  'plantas; toallas; pescado; vinos; filtros; folletos',
);

/** Texts of the four kinds: contract, supplier, invoice and person. */
const kindsOf: Readonly<Record<string, (other: Other, at: number) => [string, string][]>> = {
  en: ({ company, person, town, thing }, at) => [
    [
      `Supply agreement SA-24${at + 31}`,
      `Brannock Pumps Ltd. buys ${thing} from ${company}. The agreement runs for ${at + 2} years and can be ended with ` +
        `${at + 3} months' notice.\n\nDeliveries are made to the plant in ${town}. Prices are fixed for a year.`,
    ],
    [
      `Supplier profile ${company}`,
      `${company} has its factory in ${town} and employs ${at * 17 + 31} people. The managing director is ${person}.` +
        `\n\nThe company has made ${thing} since ${1950 + at * 7}. In the last year ${80 + at} per cent came on time.`,
    ],
    [
      `Invoice 206${at + 40}`,
      `${company} charges Brannock Pumps Ltd. for ${thing}. The amount is £${at + 2},${310 + at * 9}.00.\n\n` +
        `Payable within ${20 + at} days.`,
    ],
    [
      `Appointment of ${person}`,
      `${person} joined the company in ${2003 + at * 2} after ten years in ${town}.\n\nThe office is in room 3.${at + 10}.`,
    ],
  ],
  de: ({ company, person, town, thing }, at) => [
    [
      `Rahmenvertrag RV-${at + 142}`,
      `Die Möbelwerke Lahnau beziehen ${thing} von ${company}. Der Vertrag gilt ${at + 2} Jahre; die Kündigungsfrist ` +
        `beträgt ${at + 2} Monate.\n\nGeliefert wird ab ${town}.`,
    ],
    [
      `Lieferantenprofil ${company}`,
      `${company} hat den Sitz in ${town} und beschäftigt ${at * 13 + 22} Menschen. Die Firma wurde ${1921 + at * 9} ` +
        `gegründet.\n\nDie Geschäftsführung hat ${person}.`,
    ],
    [
      `Rechnung 78${at + 21}`,
      `${company} berechnet die Lieferung: ${thing}. Der Betrag von ${at + 1}.${204 + at * 11},00 Euro ist binnen ` +
        `${14 + at} Tagen zu zahlen.`,
    ],
    [`Personalmeldung ${person}`, `${person} lernte in ${town} und arbeitet seit ${2004 + at} im Raum C ${at + 11}.`],
  ],
  fr: ({ company, person, town, thing }, at) => [
    [
      `Contrat de fourniture ${at + 51}`,
      `La coopérative achète les ${thing} à ${company}. Le contrat court ${at + 2} ans, avec un préavis de ` +
        `${at + 2} mois.\n\nLes livraisons partent de ${town}.`,
    ],
    [
      `Fiche fournisseur ${company}`,
      `${company} a son siège à ${town} et emploie ${at * 11 + 16} personnes depuis ${1960 + at * 6}.\n\n` +
        `L'entreprise est dirigée par ${person}.`,
    ],
    [
      `Facture 34${at + 12}`,
      `${company} facture des ${thing}. Le montant est de ${at + 1} ${230 + at * 12} euros, payable à trente jours.`,
    ],
    [
      `Note de service sur ${person}`,
      `${person} a appris le métier à ${town} et travaille au bureau ${at + 12} depuis ${2006 + at}.`,
    ],
  ],
  es: ({ company, person, town, thing }, at) => [
    [
      `Contrato de suministro ${at + 24}`,
      `Hoteles Bahía Clara compra ${thing} a ${company}. El contrato dura ${at + 2} años y el plazo de preaviso es de ` +
        `${at + 1} meses.\n\nSe entrega desde ${town}.`,
    ],
    [
      `Ficha de proveedor ${company}`,
      `${company} tiene su sede en ${town} y emplea a ${at * 9 + 14} personas desde ${1970 + at * 5}.\n\n` +
        `Al frente de la empresa está ${person}.`,
    ],
    [`Factura 52${at + 13}`, `${company} cobra ${thing}. El importe es de ${at + 2}.${140 + at * 21} euros.`],
    [`Nombramiento de ${person}`, `${person} estudió en ${town} y trabaja en el grupo desde ${2007 + at}.`],
  ],
};

const others = (code: string, companies: readonly Other[]): QaDocument[] =>
  companies.flatMap((other, at) => (kindsOf[code]?.(other, at) ?? []).map(([title, text]) => documentOf(title, text)));

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Usage: npm run bench:business -- OUT');
const documents = [
  ...documentsIn('business.txt'),
  ...others('en', ENGLISH),
  ...others('de', GERMAN),
  ...others('fr', FRENCH),
  ...others('es', SPANISH),
];
writeTwoHalves(out, 'business', documents, rowsOf('business.tsv'));
