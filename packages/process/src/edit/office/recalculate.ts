/** Requests recalculation of a workbook whose cells were changed. */
import type { OpenParts } from './open-parts.ts';

const CHAIN = 'xl/calcChain.xml';

/** Marks the workbook for full recalculation on load, since stored formula results may depend on a changed cell. */
export function recalculate(parts: OpenParts): void {
  const mainPart = parts.officePackage.relatedPart('', 'officeDocument') ?? 'xl/workbook.xml';
  const workbook = parts.read(mainPart);
  const marked = workbook.includes('<calcPr')
    ? workbook.replace(/<calcPr\b(?![^>]*fullCalcOnLoad)/, '<calcPr fullCalcOnLoad="1"')
    : workbook.replace(
        /<\/(\w+:)?sheets>(\s*<(?:\w+:)?definedNames>[^]*?<\/(?:\w+:)?definedNames>)?/,
        (found, prefix) => {
          return `${found}<${typeof prefix === 'string' ? prefix : ''}calcPr fullCalcOnLoad="1"/>`;
        },
      );
  if (marked !== workbook) parts.write(mainPart, marked);
  if (!parts.has(CHAIN)) return;
  parts.remove(CHAIN);
  for (const name of ['[Content_Types].xml', 'xl/_rels/workbook.xml.rels']) {
    if (!parts.has(name)) continue;
    parts.write(name, parts.read(name).replace(/<(?:Override|Relationship)\b[^>]*calcChain\.xml"[^>]*\/>/g, ''));
  }
}
