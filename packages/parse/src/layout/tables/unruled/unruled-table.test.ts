import { expect, it } from 'vitest';
import { makePdf, TestPage } from '../../../formats/pdf/testing/make-pdf.ts';
import { gridOf, outlineOf, parsePdf } from '../../../formats/pdf/testing/parse-pdf.ts';

it('does not take the text of a neighbouring column as row labels of a ruled table', async () => {
  const page = new TestPage();
  const prose = [
    'The treaty was signed by all of the parties',
    'in the autumn of that year and came to force',
    'when the last of them had handed over its own',
    'instrument of ratification to the old keeper',
    'of the harbour, who wrote it into the ledger',
    'of the council as it was the custom by then.',
  ];
  prose.forEach((line, row) => page.text(60, 114 + row * 14, line));
  page.rule(320, 100, 540, 100).rule(320, 120, 540, 120).rule(320, 190, 540, 190);
  ['Hull', 'Wood', 'Steel', 'Reed', 'Skin', 'Clay'].forEach((name, row) => {
    page.text(325, 114 + row * 14, name);
    page
      .text(420, 114 + row * 14, row === 0 ? 'Boats' : `1${row}`)
      .text(490, 114 + row * 14, row === 0 ? 'Crews' : `2${row}`);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)[0]).toBe(`paragraph: ${prose.join(' ')}`);
  expect(gridOf(blocks[1])[1]).toEqual(['Wood', '11', '21']);
});

it('makes a label between two rows span both', async () => {
  const page = new TestPage().rule(60, 100, 400, 100).rule(60, 120, 400, 120).rule(60, 190, 400, 190);
  page.text(65, 114, 'Boat').text(160, 114, 'Hull').text(250, 114, 'Slow').text(340, 114, 'Fast');
  ['wood', 'steel', 'reed', 'skin'].forEach((hull, row) => {
    page
      .text(160, 134 + row * 14, hull)
      .text(250, 134 + row * 14, `1${row}`)
      .text(340, 134 + row * 14, `2${row}`);
  });
  page.text(65, 141, 'Dinghy').text(65, 169, 'Yawl');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks[0]?.rows?.map((row) => row.map(({ text, rowSpan }) => `${text}/${rowSpan}`))).toEqual([
    ['Boat/1', 'Hull/1', 'Slow/1', 'Fast/1'],
    ['Dinghy/2', 'wood/1', '10/1', '20/1'],
    ['steel/1', '11/1', '21/1'],
    ['Yawl/2', 'reed/1', '12/1', '22/1'],
    ['skin/1', '13/1', '23/1'],
  ]);
});

it('keeps the words of a justified line in one column', async () => {
  const page = new TestPage().rule(60, 100, 480, 100).rule(60, 120, 480, 120).rule(60, 200, 480, 200);
  const rows = [
    ['Harbour', 'Measure', 'Cost'],
    ['Bergen', 'A bell for days of fog', '120'],
    ['Narvik', 'Repair of the crane', '310'],
    ['Vadsø and', 'Planks', '14'],
    ['Hammerfest', 'A survey of the ground', '52'],
    ['Bodø', 'Two boats for the pilots', '440'],
  ];
  rows.forEach(([harbour = '', measure = '', cost = ''], row) => {
    const y = 114 + row * 15;
    page.text(65, y, harbour).text(200, y, measure).text(420, y, cost);
  });
  page.text(121, 159, 'its');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])[3]).toEqual(['Vadsø and its', 'Planks', '14']);
});

it('keeps a heading with segments at different heights in its table', async () => {
  const page = new TestPage().rule(60, 100, 480, 100).rule(60, 140, 480, 140).rule(60, 200, 480, 200);
  page
    .text(65, 124, 'Harbour')
    .text(200, 112, 'Boats')
    .text(180, 124, '(thousands)')
    .text(380, 118, 'Share of')
    .text(380, 130, 'all boats');
  page.text(180, 136, '2024').text(240, 136, '2025');
  ['Bergen', 'Narvik', 'Others'].forEach((name, row) => {
    const y = 156 + row * 18;
    page.text(65, y, name).text(180, y, `1${row}.1`).text(240, y, `1${row}.9`).text(380, y, `3${row} %`);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(gridOf(blocks[0]).at(-1)).toEqual(['Others', '12.1', '12.9', '32 %']);
});

it('appends second lines of records to the cell above', async () => {
  const page = new TestPage();
  ['Amalie Berg', 'Nils Holm', 'Ola Strand', 'Per Vik'].forEach((name, row) => {
    const y = 100 + row * 30;
    page
      .text(60, y, String(row + 1))
      .text(100, y, name)
      .text(300, y, 'Club of Bergen')
      .text(460, y, `2:0${row}.31`);
    page.text(100, y + 12, `50m 0:3${row}.10 100m 1:0${row}.22`);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual([
    ['1', 'Amalie Berg 50m 0:30.10 100m 1:00.22', 'Club of Bergen', '2:00.31'],
    ['2', 'Nils Holm 50m 0:31.10 100m 1:01.22', 'Club of Bergen', '2:01.31'],
    ['3', 'Ola Strand 50m 0:32.10 100m 1:02.22', 'Club of Bergen', '2:02.31'],
    ['4', 'Per Vik 50m 0:33.10 100m 1:03.22', 'Club of Bergen', '2:03.31'],
  ]);
});

it('keeps numbers without a label in separate rows', async () => {
  const page = new TestPage();
  ['Bergen', 'Narvik', 'Bodø'].forEach((name, row) => {
    const y = 100 + row * 34;
    page.text(60, y, name).text(160, y, `1${row}`).text(240, y, `2${row}`);
    page.text(160, y + 12, `(3${row})`).text(240, y + 12, `(4${row})`);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual([
    ['Bergen', '10', '20'],
    ['', '(30)', '(40)'],
    ['Narvik', '11', '21'],
    ['', '(31)', '(41)'],
    ['Bodø', '12', '22'],
    ['', '(32)', '(42)'],
  ]);
});

it('keeps all lines of a definition beside its term', async () => {
  const page = new TestPage();
  const meanings = [
    ['Berth', 'A place at a pier where one boat may lie for a night or for longer.'],
    ['Buoy', 'A float that is tied to the ground of the sea in the harbour and which'],
    ['Pilot', 'Leads the large boats in when the tide allows it, and out of it again.'],
  ];
  meanings.forEach(([term = '', meaning = ''], row) =>
    page.text(60, 100 + row * 14, term).text(120, 100 + row * 14, meaning),
  );
  page.text(120, 142, 'Small boats need no pilot unless the weather is bad or the night dark.');
  page.text(120, 156, 'They ask for one at the pier.');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map((block) => block.type)).toEqual(['table']);
  expect(gridOf(blocks[0]).at(-1)).toEqual([
    'Pilot',
    'Leads the large boats in when the tide allows it, and out of it again. Small boats need no pilot unless the weather is bad or the night dark. They ask for one at the pier.',
  ]);
});

it('does not take margin notes beside a paragraph as table rows', async () => {
  const page = new TestPage();
  const lines = [
    'In the simplest of cases a harbour begins with a pier and has a single row of',
    'berths along it, and then a wall that keeps the sea out; after the berths for',
    'boats we finish off with a crane, which is called the small one in most of all',
    'harbours of the coast where it is used by everybody.',
  ];
  page.lines(140, 100, lines);
  ['pier', 'wall', 'crane'].forEach((word, row) => page.text(60, 100 + row * 12, word));
  const { blocks } = await parsePdf(makePdf([page]));
  expect(outlineOf(blocks)).toContain(`paragraph: ${lines.join(' ')}`);
});

it('does not join a dash for a missing value to the numbers beside it', async () => {
  const page = new TestPage();
  const rows = [
    ['Hull', 'Boats', 'Port'],
    ['wood', '120', 'Bergen'],
    ['steel', '35', 'Narvik'],
    ['-', '48', 'Hamar'],
  ];
  rows.forEach(([hull = '', boats = '', port = ''], row) => {
    const y = 100 + row * 16;
    page.text(60, y, hull).text(200, y, boats).text(340, y, port);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual(rows);
});

it('includes the bold heading above the rules of a printed web page, and second lines of cells', async () => {
  const page = new TestPage();
  for (const y of [110, 150, 176, 202]) page.rule(60, y, 520, y);
  ['Code', 'What it is', 'Number', 'Amount'].forEach((text, column) =>
    page.text([65, 130, 400, 460][column] ?? 0, 104, text, { font: 'bold' }),
  );
  page.text(65, 126, 'A-12').text(130, 126, 'Rope').text(400, 126, '40').text(460, 126, '100.00');
  page.text(130, 140, 'White, by the metre; delivered on drums of a hundred metres each', { size: 8 });
  page.text(65, 168, 'B-7').text(130, 168, 'Anchor').text(400, 168, '1').text(460, 168, '89.00');
  page.text(65, 194, 'S-1').text(130, 194, 'Work').text(400, 194, '3').text(460, 194, '180.00');
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(gridOf)).toEqual([
    [
      ['Code', 'What it is', 'Number', 'Amount'],
      ['A-12', 'Rope White, by the metre; delivered on drums of a hundred metres each', '40', '100.00'],
      ['B-7', 'Anchor', '1', '89.00'],
      ['S-1', 'Work', '3', '180.00'],
    ],
  ]);
});

it('orders the columns and words of a right-to-left table from the right', async () => {
  // The font maps a..z to Hebrew letters, drawn left to right.
  const hebrew = (drawn: string): string =>
    Array.from(drawn, (letter) => String.fromCodePoint(0x5d0 + letter.charCodeAt(0) - 97))
      .toReversed()
      .join('');
  const page = new TestPage();
  const rows = [
    ['abc', 'mno', 'pqr', 'jkl'],
    ['bcd', 'nop', 'qrs', 'klm'],
    ['cde', 'mop', 'prs', 'lmn'],
  ];
  rows.forEach(([first = '', second = '', third = '', last = ''], row) => {
    const y = 100 + row * 16;
    page.text(400, y, first, { font: 'hebrew' }).text(250, y, second, { font: 'hebrew' });
    page.text(230, y, third, { font: 'hebrew' }).text(60, y, last, { font: 'hebrew' });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual(
    rows.map(([first = '', second = '', third = '', last = '']) => [
      hebrew(first),
      `${hebrew(second)} ${hebrew(third)}`,
      hebrew(last),
    ]),
  );
});

it('keeps long texts under a ruled heading as cells, and joins wrapped words above numbers', async () => {
  const page = new TestPage().rule(60, 100, 520, 100).rule(60, 120, 520, 120).rule(60, 222, 520, 222);
  page.text(65, 114, 'Term').text(140, 114, 'Meaning').text(340, 114, 'Remark');
  const rows = [
    [
      'Mole',
      ['A wall of stone that shelters a', 'harbour and can be used as a quay', 'on the inner side of it.'],
      ['Older than the port itself and', 'built of the stones of the abbey.'],
    ],
    [
      'Lighter',
      ['A flat boat that carries goods to', 'the shore where no quay is deep', 'enough for a ship of the line.'],
      ['Out of use since the dredging of', '1912.'],
    ],
    ['Dues', ['What a ship pays for each day.'], ['See the tariff.']],
  ] as const;
  let y = 134;
  for (const [term, meaning, remark] of rows) {
    page.text(65, y, term);
    meaning.forEach((line, index) => page.text(140, y + index * 13, line));
    remark.forEach((line, index) => page.text(340, y + index * 13, line));
    y += meaning.length * 13;
  }
  const { blocks } = await parsePdf(makePdf([page]));
  expect(gridOf(blocks[0])).toEqual([
    ['Term', 'Meaning', 'Remark'],
    ...rows.map(([term, meaning, remark]) => [term, meaning.join(' '), remark.join(' ')]),
  ]);
});

it.each([
  ['2.7', 10, 'regular', false],
  ['A.1', 9, 'serif', true],
  ['12', 12, 'italic', false],
] as const)('takes equations with numbers from (%s) in %i points as no table', async (first, size, font, apart) => {
  const [, chapter = '', start = ''] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const page = new TestPage();
  ['z is the least sum', 'x lies above y', 'u plus v is w', 'a and b are even'].forEach((text, index) => {
    const y = 100 + index * 1.6 * size;
    page.text(180 + index * 7, y, text, { size, font });
    // Some programs draw the parts of the number apart.
    const number = String(Number(start) + index);
    if (apart) page.text(500, y, `(${chapter}`, { size, font }).text(500 + 2.5 * size, y, `${number})`, { size, font });
    else page.text(500, y, `(${chapter}${number})`, { size, font });
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.filter(({ type }) => type === 'table')).toEqual([]);
});

it('keeps a table whose last column has negative amounts in parentheses', async () => {
  const page = new TestPage();
  ['(12)', '(9)', '(14)', '(3)'].forEach((amount, index) => {
    const y = 100 + index * 16;
    page
      .text(60, y, ['Dues', 'Lamps', 'Masts', 'Ropes'][index] ?? '')
      .text(200, y, `${index + 2}1`)
      .text(300, y, amount);
  });
  const { blocks } = await parsePdf(makePdf([page]));
  expect(blocks.map(({ type }) => type)).toEqual(['table']);
});
