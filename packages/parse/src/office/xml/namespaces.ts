/**
 * Maps known namespaces, transitional and strict, to the prefixes of the specifications, because files may use any
 * prefix. The empty prefix is for namespaces that are usually the default.
 */
const OOXML = 'http://schemas.openxmlformats.org/';
const STRICT = 'http://purl.oclc.org/ooxml/';
const MICROSOFT = 'http://schemas.microsoft.com/office/';
const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const OPENOFFICE = 'http://openoffice.org/2000/';

const PREFIXES = new Map<string, string>();

function add(prefix: string, ...addresses: string[]): void {
  for (const address of addresses) PREFIXES.set(address, prefix);
}

function addOoxml(prefix: string, path: string, strictPath = path.replace('/2006', '')): void {
  add(prefix, OOXML + path, STRICT + strictPath);
}

addOoxml('w', 'wordprocessingml/2006/main');
addOoxml('r', 'officeDocument/2006/relationships');
addOoxml('m', 'officeDocument/2006/math');
addOoxml('a', 'drawingml/2006/main');
addOoxml('wp', 'drawingml/2006/wordprocessingDrawing');
addOoxml('pic', 'drawingml/2006/picture');
addOoxml('c', 'drawingml/2006/chart');
addOoxml('dgm', 'drawingml/2006/diagram');
addOoxml('xdr', 'drawingml/2006/spreadsheetDrawing');
addOoxml('p', 'presentationml/2006/main');
addOoxml('', 'spreadsheetml/2006/main');
addOoxml('ep', 'officeDocument/2006/extended-properties');
add('', `${OOXML}package/2006/relationships`, `${OOXML}package/2006/content-types`);
add('cp', `${OOXML}package/2006/metadata/core-properties`);
add('mc', `${OOXML}markup-compatibility/2006`);
add('w14', `${MICROSOFT}word/2010/wordml`);
add('wps', `${MICROSOFT}word/2010/wordprocessingShape`);
add('wpg', `${MICROSOFT}word/2010/wordprocessingGroup`);
add('wpc', `${MICROSOFT}word/2010/wordprocessingCanvas`);
add('dsp', `${MICROSOFT}drawing/2008/diagram`);
add('v', 'urn:schemas-microsoft-com:vml');
add('o', 'urn:schemas-microsoft-com:office:office');
add('dc', 'http://purl.org/dc/elements/1.1/');
add('xlink', 'http://www.w3.org/1999/xlink');
add('math', 'http://www.w3.org/1998/Math/MathML');
for (const name of ['office', 'text', 'table', 'style', 'meta', 'presentation', 'manifest', 'chart'] as const) {
  add(name, `${OASIS}${name}:1.0`, `${OPENOFFICE}${name}`);
}
add('draw', `${OASIS}drawing:1.0`, `${OPENOFFICE}drawing`);
add('number', `${OASIS}datastyle:1.0`, `${OPENOFFICE}datastyle`);
add('fo', `${OASIS}xsl-fo-compatible:1.0`, 'http://www.w3.org/1999/XSL/Format');
add('svg', `${OASIS}svg-compatible:1.0`, 'http://www.w3.org/2000/svg');

/** Returns the canonical prefix of a namespace; undefined for one that no reader uses. */
export function canonicalPrefix(address: string): string | undefined {
  return PREFIXES.get(address);
}

const CANONICAL = new Set(PREFIXES.values());

/** Returns whether a prefix is canonical and must not be used for a foreign namespace. */
export function isCanonical(prefix: string): boolean {
  return CANONICAL.has(prefix);
}
