/** Finds pictures, charts and drawings, which may carry labels. */
import { area, boundsOf, grow, height, holdsCentre, intersects, overlapArea, width, type Box } from '../geometry.ts';
import { findCharts } from './charts.ts';
import { characterCount, type Line } from '../lines/line.ts';
import type { PageContent } from './page-content.ts';
import { isProse } from '../tables/unruled/column-gutters.ts';
import type { Table } from '../tables/table.ts';

/** Minimum side of a figure, in points. Smaller pictures are ornaments, bullets or parts of letters. */
const MIN_SIDE = 36;
/** Share of the page area above which a picture is a background behind the page's text. */
const MAX_AREA_SHARE = 0.7;
/** Maximum gap, in points, between strokes of one drawing, and minimum number of strokes of a drawing. */
const DRAWING_GAP = 14;
const MIN_STROKES = 5;
/** Maximum share of the page's text on a drawing; a drawing with more is a decorated text box. */
const MAX_LABELS = 0.35;

export function findFigures(page: PageContent, tables: readonly Table[], lines: readonly Line[]): Box[] {
  const background = MAX_AREA_SHARE * page.width * page.height;
  const prose = lines.filter(isProse);
  const isPart = (box: Box): boolean => area(box) < background;
  const pictures = clusters(page.images.filter(isPart), 3, prose);
  const drawings = clusters(page.strokes.filter(isPart), DRAWING_GAP, prose).filter(
    ({ count }) => count >= MIN_STROKES,
  );
  const large = [...pictures, ...drawings]
    .map((cluster) => cluster.box)
    .filter((box) => width(box) >= MIN_SIDE && height(box) >= MIN_SIDE && isPart(box))
    .concat(findCharts(page, lines).filter(isPart))
    .filter((box) => !tables.some((table) => overlapArea(table, box) > 0.3 * area(box)));
  const total = lines.reduce((sum, line) => sum + characterCount(line.words), 0);
  return clusters(large, 2, prose)
    .flatMap(({ box }) => freeOfProse(box, prose))
    .filter((box) => labelsOn(box, lines) <= Math.max(60, MAX_LABELS * total));
}

/** Reduces a figure to its largest part without running text, because clipped drawings report larger bounds. */
function freeOfProse(box: Box, prose: readonly Line[]): Box[] {
  const inside = prose.filter((line) => holdsCentre(box, line) && width(line) > 0.4 * width(box));
  let [top, best] = [box.y0, { ...box, y1: box.y0 }];
  for (const stop of [...inside.toSorted((a, b) => a.y0 - b.y0), { y0: box.y1, y1: box.y1 }]) {
    if (stop.y0 - top > height(best)) best = { ...box, y0: top, y1: stop.y0 };
    top = Math.max(top, stop.y1);
  }
  return height(best) >= Math.min(MIN_SIDE, height(box)) ? [best] : [];
}

const labelsOn = (box: Box, lines: readonly Line[]): number =>
  lines.filter((line) => holdsCentre(box, line)).reduce((sum, line) => sum + characterCount(line.words), 0);

interface Cluster {
  box: Box;
  count: number;
}

/** Joins boxes closer than `gap` unless running text would fall inside; examines at most 1,500 boxes. */
function clusters(boxes: readonly Box[], gap: number, prose: readonly Line[]): Cluster[] {
  const found: Cluster[] = [];
  for (const box of boxes.slice(0, 1500)) {
    let joined: Cluster = { box: boundsOf([box]), count: 1 };
    for (const cluster of found.filter((other) => intersects(grow(other.box, gap), grow(box, 0.1)))) {
      const union = boundsOf([joined.box, cluster.box]);
      const enclosesProse = prose.some(
        (line) => holdsCentre(union, line) && !holdsCentre(cluster.box, line) && !holdsCentre(joined.box, line),
      );
      if (enclosesProse) continue;
      joined = { box: union, count: joined.count + cluster.count };
      found.splice(found.indexOf(cluster), 1);
    }
    found.push(joined);
  }
  return found;
}
