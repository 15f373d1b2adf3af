/** The words of an SVG drawing: text elements with their spans, titles and descriptions. */
import type { Flow } from '../flow/flow.ts';
import { escapeXml, scanXml } from '../flow/scan-xml.ts';

const CONTAINERS = new Set(['text', 'title', 'desc']);

export function svgFlows(source: string): Flow[] {
  const flows: Flow[] = [];
  const open: { name: string; flow: Flow }[] = [];
  scanXml(
    source,
    {
      open: (name) => {
        if (CONTAINERS.has(localName(name))) open.push({ name, flow: { pieces: [] } });
      },
      close: (name) => {
        if (open.at(-1)?.name === name) flows.push(...open.splice(-1).map(({ flow }) => flow));
      },
      text: (text, span) =>
        open.at(-1)?.flow.pieces.push({ ...span, text, encode: (edited) => ({ source: escapeXml(edited) }) }),
    },
    // Drawing programs declare their namespaces there.
    { declarations: 'passed over' },
  );
  return flows;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
