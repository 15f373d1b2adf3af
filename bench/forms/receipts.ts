/** Till receipts in narrow lines, as a reader of pictures returns them: some letters of labels are misread. */
import { amountIn, cents, dayOf, monthName, two, type Day, type FormSet, type Layout } from './form.ts';
import { widthOf, type PlacedText } from './pdf-page.ts';
import type { Random } from './random.ts';

interface Slip {
  day: Day;
  items: { name: string; amount: number }[];
  total: number;
}

const WIDTH = 230;
/** Letters that readers of pictures confuse, both ways. */
const CONFUSED: Readonly<Record<string, string>> = { o: '0', l: '1', i: 'l', m: 'n', e: 'c', T: 'I', B: '8', S: '5' };

function slipOf(random: Random, names: readonly string[]): Slip {
  const items = random
    .several(names, random.whole(1, names.length))
    .map((name) => ({ name, amount: random.whole(90, 4_900) / 100 }));
  return { day: dayOf(random), items, total: cents(items.reduce((sum, { amount }) => sum + amount, 0)) };
}

/** Misreads about one label in ten at one letter. */
function misread(random: Random, text: string): string {
  if (!random.chance(0.1)) return text;
  const at = random.whole(0, text.length - 1);
  return text.slice(0, at) + (CONFUSED[text.charAt(at)] ?? text.charAt(at)) + text.slice(at + 1);
}

type Line = readonly [string] | readonly [string, string];

/** Sets lines with one text in the middle, and with two at the left and right edges. */
function slip(lines: readonly Line[]): PlacedText[][] {
  const texts = lines.flatMap(([left, right], at): PlacedText[] => {
    const y = 50 + at * 15;
    if (right === undefined) return [{ text: left, x: 40 + (WIDTH - widthOf(left, 10)) / 2, y }];
    return [
      { text: left, x: 40, y },
      { text: right, x: 40 + WIDTH - widthOf(right, 10), y },
    ];
  });
  return [texts];
}

const malaysian: Layout = (random) => {
  const { day, items, total } = slipOf(random, ['PAPER A4 80GSM', 'GLUE STICK', 'MARKER BLUE', 'FILE ARCH 3IN']);
  const company = random.pick([
    'TANJUNG STATIONERY SDN BHD',
    'KEDAI BUKU MAJU',
    'SRI HARMONI TRADING',
    'PERNIAGAAN LIM BROTHERS',
  ]);
  const street = `NO ${random.whole(2, 90)}, JALAN ${random.pick(['MELATI', 'INDAH', 'BAKAWALI'])} ${random.whole(1, 9)},`;
  const town = `${random.digits(5)} ${random.pick(['JOHOR BAHRU', 'KLANG', 'IPOH'])}`;
  const cash = Math.ceil(total / 50) * 50;
  return {
    layout: 'malaysian',
    gold: { company, address: `${street} ${town}`, date: day.iso, total: amountIn('en', total) },
    pages: slip([
      [company],
      [`(${random.digits(6)}-T)`],
      [street],
      [town],
      [`TEL: 07-${random.digits(7)}`],
      [misread(random, 'TAX INVOICE')],
      [`Date: ${two(day.day)}/${two(day.month)}/${day.year}`, `${two(random.whole(8, 21))}:15`],
      ...items.map(({ name, amount }): Line => [name, amountIn('en', amount)]),
      [misread(random, 'Total'), amountIn('en', total)],
      [misread(random, 'Rounding'), '0.00'],
      [misread(random, 'TOTAL (RM)'), amountIn('en', total)],
      ['CASH', amountIn('en', cash)],
      [misread(random, 'CHANGE'), amountIn('en', cents(cash - total))],
      ['THANK YOU PLEASE COME AGAIN'],
    ]),
  };
};

const diner: Layout = (random) => {
  const { day, items, total: net } = slipOf(random, ['Pancakes', 'Club sandwich', 'Iced tea', 'Soup of the day']);
  const company = random.pick(['The Copper Kettle', "Dottie's Diner", 'Blue Heron Grill']);
  const [street, town] = [`${random.whole(100, 900)} Main Street`, random.pick(['Boise, ID 83702', 'Salem, OR 97301'])];
  const tax = cents(net * 0.06);
  const total = cents(net + tax);
  return {
    layout: 'diner',
    gold: { company, address: `${street}, ${town}`, date: day.iso, total: amountIn('en', total) },
    pages: slip([
      [company],
      [street],
      [town],
      [`Server: Amy  Table ${random.whole(1, 20)}`],
      [`${two(day.month)}/${two(day.day)}/${day.year} 12:48 PM`],
      ...items.map(({ name, amount }): Line => [name, amountIn('en', amount)]),
      [misread(random, 'Subtotal'), amountIn('en', net)],
      [misread(random, 'Sales Tax'), amountIn('en', tax)],
      [misread(random, 'Amount Due'), `$${amountIn('en', total)}`],
      ['Thank you!'],
    ]),
  };
};

const german: Layout = (random) => {
  const { day, items, total } = slipOf(random, ['Vollmilch 1L', 'Roggenbrot', 'Äpfel Elstar', 'Butter 250g']);
  const company = random.pick(['Frischmarkt Lehmann', 'Kaufpark Nord GmbH', 'Bäckerei Ohlsen']);
  const [street, town] = [
    `${random.pick(['Lindenstr.', 'Hauptstraße', 'Am Ring'])} ${random.whole(1, 80)}`,
    `${random.digits(5)} ${random.pick(['Celle', 'Soest', 'Bautzen'])}`,
  ];
  const given = Math.ceil(total / 20) * 20;
  return {
    layout: 'german',
    gold: { company, address: `${street}, ${town}`, date: day.iso, total: amountIn('de', total) },
    pages: slip([
      [company],
      [street],
      [town],
      [`USt-IdNr. DE${random.digits(9)}`],
      ['', 'EUR'],
      ...items.map(({ name, amount }): Line => [name, `${amountIn('de', amount)} B`]),
      [misread(random, 'SUMME'), amountIn('de', total)],
      [misread(random, 'Bar gegeben'), amountIn('de', given)],
      [misread(random, 'Rückgeld'), amountIn('de', cents(given - total))],
      [`${two(day.day)}.${two(day.month)}.${day.year}  16:05  Kasse ${random.whole(1, 6)}`],
      ['Vielen Dank für Ihren Einkauf'],
    ]),
  };
};

const hardware: Layout = (random) => {
  const { day, items, total } = slipOf(random, ['Wood screws 50pk', 'Masonry bit 6mm', 'White spirit 2L']);
  const company = random.pick(['Marlow Hardware & Garden', 'TOOLSHED DIRECT LTD', 'Penrose Home Stores']);
  const [street, town] = [
    `Unit ${random.whole(1, 9)}, Priory Retail Park`,
    random.pick(['Exeter EX2 7HU', 'Derby DE1 2PT']),
  ];
  return {
    layout: 'hardware',
    gold: { company, address: `${street}, ${town}`, date: day.iso, total: amountIn('en', total) },
    pages: slip([
      ['Welcome to'],
      [company],
      [street],
      [town],
      [`VAT No GB ${random.digits(9)}`],
      ...items.map(({ name, amount }): Line => [name, `£${amountIn('en', amount)}`]),
      [misread(random, 'BALANCE TO PAY'), `£${amountIn('en', total)}`],
      [misread(random, 'Contactless'), `£${amountIn('en', total)}`],
      [`Items: ${items.length}`],
      [`${day.day} ${monthName(day, 'en').slice(0, 3)} ${day.year} 10:31 Till ${random.whole(1, 9)}`],
    ]),
  };
};

const french: Layout = (random) => {
  const { day, items, total } = slipOf(random, ['Baguette tradition', 'Croissant', 'Tarte citron']);
  const company = random.pick(['Boulangerie Perrin', 'Épicerie du Port', 'SARL Aux Deux Moulins']);
  const [street, town] = [
    `${random.whole(2, 60)} rue ${random.pick(['Nationale', 'du Marché', 'Gambetta'])}`,
    `${random.digits(5)} ${random.pick(['Vannes', 'Albi'])}`,
  ];
  return {
    layout: 'french',
    gold: { company, address: `${street}, ${town}`, date: day.iso, total: amountIn('fr', total) },
    pages: slip([
      [company],
      [street],
      [town],
      [`Le ${two(day.day)}/${two(day.month)}/${day.year} à 09h12`],
      ...items.map(({ name, amount }): Line => [name, amountIn('fr', amount)]),
      [misread(random, 'TOTAL TTC'), `${amountIn('fr', total)} EUR`],
      [misread(random, 'Carte bancaire'), amountIn('fr', total)],
      [misread(random, 'dont TVA'), amountIn('fr', cents(total * 0.052))],
      ['Merci de votre visite'],
    ]),
  };
};

export const receipts: FormSet = {
  name: 'receipts',
  schema: {
    type: 'object',
    properties: {
      company: { type: 'string', description: 'Shop or company that issued the receipt' },
      address: { type: 'string', description: 'Address of the shop as printed' },
      date: { type: 'string', format: 'date' },
      total: { type: 'string', description: 'Amount to pay, as printed, without a currency sign' },
    },
  },
  layouts: { tuning: [malaysian, diner], checking: [german, hardware, french] },
};
