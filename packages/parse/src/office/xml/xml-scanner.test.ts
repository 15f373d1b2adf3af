import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { XmlError, XmlScanner } from './xml-scanner.ts';

type Event = readonly unknown[];

/** Joins consecutive texts. */
function add(events: Event[], event: Event): void {
  const last = events.at(-1);
  if (event[0] !== 'text' || last?.[0] !== 'text') events.push(event);
  else events[events.length - 1] = ['text', `${String(last[1])}${String(event[1])}`];
}

function scanned(pieces: readonly string[]): Event[] {
  const events: Event[] = [];
  const scanner = new XmlScanner({
    open: (name, attributes) => add(events, ['open', name, { ...attributes }]),
    close: (name) => add(events, ['close', name]),
    text: (text) => add(events, ['text', text]),
    doctype: (text) => add(events, ['doctype', text]),
  });
  for (const piece of pieces) scanner.write(piece);
  scanner.end();
  return events;
}

function readBySaxes(document: string): Event[] {
  const events: Event[] = [];
  const parser = new SaxesParser({ position: false });
  parser.on('opentag', (tag) => add(events, ['open', tag.name, { ...tag.attributes }]));
  parser.on('closetag', (tag) => add(events, ['close', tag.name]));
  parser.on('text', (text) => add(events, ['text', text]));
  parser.on('cdata', (text) => add(events, ['text', text]));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(document).close();
  return events;
}

const name = fc.constantFrom('a', 'w:p', 'xmlns:w', 'É-1');
const characters = fc
  .array(fc.constantFrom('x', ' ', '\n', '\r\n', '\t', '&amp;', '&lt;', '&#65;', '&#x1F600;', '>', "'", '"', 'é', '/'))
  .map((parts) => parts.join(''));
const value = characters.map((text) => `"${text.replaceAll('"', '&quot;')}"`);
const attributes = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3 })
  .map((pairs) => pairs.map(([key, text]) => ` ${key} = ${text}`).join(''));
const { element } = fc.letrec<{ element: string; node: string }>((tie) => ({
  node: fc.oneof(
    characters,
    fc.constantFrom('<!-- a <b> -->', '<?go <x>?>', '<![CDATA[ <b>&amp;]] ]]>', '<!---->'),
    tie('element'),
  ),
  element: fc
    .tuple(name, attributes, fc.array(tie('node'), { maxLength: 4 }))
    .map(([tag, pairs, nodes]) =>
      nodes.length === 0 ? `<${tag}${pairs}/>` : `<${tag}${pairs} >${nodes.join('')}</${tag} >`,
    ),
}));

describe('XmlScanner', () => {
  it('reports the same events as saxes for any well-formed document', () => {
    fc.assert(
      fc.property(element, (document) => {
        expect(scanned([document])).toEqual(readBySaxes(document));
      }),
    );
  });

  it('does not depend on how the input is split', () => {
    fc.assert(
      fc.property(element, fc.array(fc.nat(40), { minLength: 1 }), (document, lengths) => {
        const pieces: string[] = [];
        for (let at = 0, index = 0; at < document.length; index += 1) {
          const length = 1 + (lengths[index % lengths.length] ?? 0);
          pieces.push(document.slice(at, at + length));
          at += length;
        }
        expect(scanned(pieces)).toEqual(scanned([document]));
      }),
    );
  });

  it('keeps unknown entities and characters unchanged', () => {
    expect(scanned(['<a b="&x; &#0;">&nbsp;&;&</a>'])).toEqual([
      ['open', 'a', { b: '&x; &#0;' }],
      ['text', '&nbsp;&;&'],
      ['close', 'a'],
    ]);
  });

  it.each([
    '',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    'x<a/>',
    '<a/>x',
    '<a b=c/>',
    '<a b/>',
    '<a',
    '<a><!-- </a>',
    '<!ENTITY><a/>',
  ])('refuses %j', (document) => expect(() => scanned([document])).toThrow(XmlError));

  it('throws on an endless tag', () => {
    const scanner = new XmlScanner({ open() {}, close() {}, text() {}, doctype() {} });
    expect(() => {
      scanner.write('<a ');
      for (let count = 0; count < 200; count += 1) scanner.write(`b="${'x'.repeat(10_000)}" `);
    }).toThrow(XmlError);
  });
});
