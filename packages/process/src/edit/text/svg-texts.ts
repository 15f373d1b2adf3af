/** Finds the text of an SVG drawing: text elements with their spans, titles and descriptions. */
import type { SplitText } from '../replace/split-text.ts';
import { escapeXml, scanXml } from '../replace/scan-xml.ts';

const CONTAINERS = new Set(['text', 'title', 'desc']);

export function svgTexts(source: string): SplitText[] {
  const texts: SplitText[] = [];
  const open: { name: string; splitText: SplitText }[] = [];
  scanXml(
    source,
    {
      open: (name) => {
        if (CONTAINERS.has(localName(name))) open.push({ name, splitText: { pieces: [] } });
      },
      close: (name) => {
        if (open.at(-1)?.name === name) texts.push(...open.splice(-1).map(({ splitText }) => splitText));
      },
      text: (text, span) =>
        open.at(-1)?.splitText.pieces.push({ ...span, text, encode: (edited) => ({ source: escapeXml(edited) }) }),
    },
    // Drawing programs declare entities for their namespaces in the document type.
    { declarations: 'passed over' },
  );
  return texts;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
