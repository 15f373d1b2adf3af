import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readSvg } from './svg-document.ts';
import { reader } from './svg.ts';
import { parseImage, thumbnailOf } from '../image/testing/parse-image.ts';

const svg = (body: string, attributes = 'viewBox="0 0 200 100"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  );

describe('reading SVG', () => {
  it('reads title, description and text in order, with spaces between positioned parts', async () => {
    const body = `<title>Floor plan</title><desc>Ground floor</desc>
      <g><text x="1" y="2">Kit<tspan font-weight="bold">chen</tspan><tspan x="1" dy="9">12 m²</tspan></text></g>
      <style>text { fill: red }</style><script>alert("x")</script><text> Hall &amp; stairs </text>`;
    const { blocks, title, pageCount } = await parseImage(reader, svg(body), 'svg');
    expect(blocks.map((block) => [block.type, block.text])).toEqual([
      ['heading', 'Floor plan'],
      ['paragraph', 'Ground floor'],
      ['paragraph', 'Kitchen 12 m²'],
      ['paragraph', 'Hall & stairs'],
    ]);
    expect([title, pageCount]).toEqual(['Floor plan', 1]);
  });

  it('reads positioned texts row by row, through transforms, anchors and positioned parts', async () => {
    const body = `<text x="150" y="60">d</text><text x="150" y="22">b</text>
      <g transform="translate(10 20) scale(2)"><title>about a</title><text>a</text></g>
      <g font-size="20"><text text-anchor="end" x="100" y="3em">c</text></g>
      <text><tspan x="5" y="90">e</tspan><tspan x="5" dy="12">below</tspan></text>
      <text transform="rotate(90 180 10)" x="180" y="10">f</text>`;
    const { blocks } = await parseImage(reader, svg(body), 'svg');
    expect(blocks.map((block) => block.text)).toEqual(['f', 'about a', 'a', 'b', 'c', 'd', 'e below']);
  });

  it('keeps the order of the file if a position is unknown', async () => {
    const body = '<text x="50%" y="90">second</text><text x="1" y="9">first</text>';
    const { blocks } = await parseImage(reader, svg(body), 'svg');
    expect(blocks.map((block) => block.text)).toEqual(['second', 'first']);
  });

  it('leaves out hidden content and reads referenced definitions', async () => {
    const body = `<defs><text>Spare</text><g id="badge"><text>Badge</text></g></defs>
      <symbol id="unused"><text>Unused</text></symbol><symbol id="door"><text>Door</text></symbol>
      <g display="none"><text>Layer</text></g><text style="fill:red; visibility: hidden">Ghost</text>
      <text>Wall<tspan style="display:none"> of glass</tspan></text><use href="#door"/><use xlink:href="#badge"/>`;
    const { blocks } = await parseImage(reader, svg(body), 'svg');
    expect(blocks.map((block) => block.text)).toEqual(['Badge', 'Door', 'Wall']);
  });

  it('describes a drawing without words by its name and size', async () => {
    const { blocks } = await parseImage(
      reader,
      svg('<rect width="9" height="9"/>', 'width="10mm" height="2cm"'),
      'svg',
    );
    expect(blocks).toEqual([
      { type: 'figure', text: 'picture.svg\nSVG drawing, 38 × 76', page: 1, bbox: [0, 0, 1, 1] },
    ]);
  });

  it('does not resolve entities of a document type', async () => {
    const source = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY xxe SYSTEM "file:///etc/hostname"><!ENTITY a "aaaa">]>
      <svg xmlns="http://www.w3.org/2000/svg"><text>before &xxe;&a; after</text></svg>`;
    const { blocks } = await parseImage(reader, Buffer.from(source), 'svg');
    expect(blocks.map((block) => block.text)).toEqual(['before &xxe;&a; after']);
  });

  it.each([
    ['cut off', '<svg xmlns="http://www.w3.org/2000/svg"><text>half'],
    ['another vocabulary', '<html><body>text</body></html>'],
    ['no XML', 'just words'],
    ['empty', ''],
  ])('calls a file corrupt that is %s', async (_, source) => {
    await expect(parseImage(reader, Buffer.from(source), 'svg')).rejects.toMatchObject({ type: 'corrupt' });
  });

  it('refuses nesting that would exhaust a recursive reader', async () => {
    const deep = svg('<g>'.repeat(5000) + '</g>'.repeat(5000));
    await expect(parseImage(reader, deep, 'svg')).rejects.toMatchObject({ type: 'too_large' });
  });
});

const copyOf = (body: string): string => readSvg(svg(body).toString()).body;

describe('the copy of an SVG that is drawn', () => {
  it('keeps references to its own parts and embedded raster images', () => {
    const body = '<use href="#a"></use><image xlink:href="data:image/png;base64,AAAA"></image><g fill="url(#b)"></g>';
    expect(copyOf(body)).toBe(body.replace('xlink:href', 'href'));
  });

  it.each([
    [
      'links to files',
      '<image href="file:///etc/passwd"/><use xlink:href="other.svg#a"/><image href="http://h/x.png"/>',
    ],
    [
      'links in style',
      '<g style="fill:url(http://h/x)" filter="url( \'x.svg#f\' )"/><style>@import "a.css"; b{src:url(http://h)}</style>',
    ],
    ['escaped links in style', '<g style="fill:u\\rl(http://h/x)"/>'],
    ['drawings in drawings', '<image href="data:image/svg+xml;base64,AAAA"/>'],
    ['scripts', '<script href="x.js">evil()</script><g onload="evil()"/>'],
    ['foreign content', '<foreignObject><iframe src="http://h"/></foreignObject>'],
  ])('contains no %s', (_, body) => {
    expect(copyOf(body)).not.toMatch(/http|file:|other|x\.svg|x\.js|a\.css|svg\+xml|evil|iframe/);
  });
});

describe('drawing an SVG', () => {
  it('draws the beginning of a very long line only', () => {
    expect(copyOf(`<text>${'a'.repeat(800)}<tspan>${'b'.repeat(800)}</tspan></text><text>c</text>`)).toBe(
      `<text>${'a'.repeat(800)}<tspan>${'b'.repeat(200)}</tspan></text><text>c</text>`,
    );
  });

  it('fits the longer side regardless of the declared size', async () => {
    for (const attributes of ['viewBox="0 0 200 100"', 'width="20" height="10"', 'width="200000" height="100000"']) {
      const drawn = await thumbnailOf(
        reader,
        svg('<rect width="100%" height="100%" fill="#f00"/>', attributes),
        'svg',
        512,
      );
      const { format, width, height } = await sharp(drawn).metadata();
      expect([format, width, height]).toEqual(['webp', 512, 256]);
      const { dominant } = await sharp(drawn).stats();
      expect(dominant.r).toBeGreaterThan(200);
      expect(dominant.g).toBeLessThan(60);
    }
  });
});
