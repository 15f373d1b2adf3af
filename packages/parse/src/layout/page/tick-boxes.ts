/**
 * Finds the tick boxes of forms, drawn squares and fields, and writes them as `☐` or `☒` beside their text.
 */
import { copyBox, grow, height, holdsCentre, intersects, overlapX, width, type Box } from '../geometry.ts';
import type { FilledArea, PageContent, PageField, Rule, Word } from './page-content.ts';

/** Side of a box, in points, and the maximum difference of its sides. */
const MIN_SIDE = 5;
const MAX_SIDE = 16;
const UNEVEN = 1.5;
/** Tolerance, in points, for corners. */
const CORNER = 1.2;
/** Maximum distance of the text from its box, in font sizes. */
const MAX_GAP = 1.8;
/** Minimum distance of the text on one of its sides, in font sizes. */
const MIN_ROOM = 0.5;
/** Maximum number of short rules; a page with more of them is a drawing. */
const MAX_RULES = 2000;
const TICK = /^[xX×✓✔✕✗✘☑☒●■•]$/u;
const DARK = 0x808080;

interface TickBox extends Box {
  ticked: boolean;
  field?: PageField;
}

/** Returns the page with a word for each tick box beside a text; the rules and fields of such boxes are left out. */
export function withTickBoxes(page: PageContent): PageContent {
  const boxes = [...fieldBoxes(page.fields), ...drawnBoxes(page)];
  if (boxes.length === 0) return page;
  const marks = page.words.filter(({ text }) => TICK.test(text));
  const placed = boxes.flatMap((box) => placedBox(box, page, marks) ?? []);
  if (placed.length === 0) return page;
  const areas = placed.map(({ box }) => grow(box, CORNER));
  const ticks = new Set(marks.filter((mark) => areas.some((area) => holdsCentre(area, mark))));
  const fields = new Set(placed.map(({ box }) => box.field));
  return {
    ...page,
    words: inserted(page.words, placed).filter((word) => !ticks.has(word)),
    rules: page.rules.filter((rule) => !areas.some((area) => isInside(rule, area))),
    strokes: page.strokes.filter((stroke) => !areas.some((area) => holdsCentre(area, stroke))),
    fields: page.fields.filter((field) => !fields.has(field)),
  };
}

const fieldBoxes = (fields: readonly PageField[]): TickBox[] =>
  fields
    .filter(({ kind }) => kind === 'checkbox' || kind === 'radio')
    .map((field) => ({ ...copyBox(field), ticked: field.value === '☒', field }));

/** Returns the squares between four short rules that no field covers; squares that touch are cells. */
function drawnBoxes({ rules, strokes, fills, fields, words }: PageContent): TickBox[] {
  const short = rules.filter(({ from, to }) => to - from >= MIN_SIDE && to - from <= MAX_SIDE);
  if (short.length < 4 || short.length > MAX_RULES) return [];
  const [across, down] = [short.filter((rule) => rule.horizontal), short.filter((rule) => !rule.horizontal)];
  const boxes: TickBox[] = [];
  for (const top of across) {
    const foot = across.find((rule) => isOpposite(top, rule));
    if (foot === undefined) continue;
    const box = { x0: top.from, y0: top.at, x1: top.to, y1: foot.at };
    const sides = [box.x0, box.x1].every((x) => down.some((rule) => isSide(rule, x, box)));
    const isKnown = [...boxes, ...fields].some((other) => holdsCentre(grow(other, 2), box));
    if (sides && !isKnown) boxes.push({ ...box, ticked: isTicked(box, strokes, fills) });
  }
  const isCell = (box: Box): boolean =>
    words.some((word) => holdsCentre(box, word) && !TICK.test(word.text)) ||
    boxes.some((other) => other !== box && intersects(grow(other, CORNER), box));
  return boxes.filter((box) => !isCell(box));
}

const isOpposite = (top: Rule, foot: Rule): boolean =>
  Math.abs(foot.from - top.from) < CORNER &&
  Math.abs(foot.to - top.to) < CORNER &&
  Math.abs(foot.at - top.at - (top.to - top.from)) < UNEVEN;

const isSide = (rule: Rule, x: number, box: Box): boolean =>
  Math.abs(rule.at - x) < CORNER && Math.abs(rule.from - box.y0) < CORNER && Math.abs(rule.to - box.y1) < CORNER;

/** Checks for strokes of a cross or tick, or for a dark area, in the box. */
function isTicked(box: Box, strokes: readonly Box[], fills: readonly FilledArea[]): boolean {
  const side = width(box);
  const isMark = (stroke: Box): boolean =>
    holdsCentre(box, stroke) && width(stroke) + height(stroke) > 0.6 * side && width(stroke) < 1.5 * side;
  return (
    strokes.some(isMark) || fills.some((fill) => isDark(fill) && holdsCentre(box, fill) && width(fill) > 0.3 * side)
  );
}

const isDark = ({ colour }: FilledArea): boolean =>
  [16, 8, 0].every((shift) => ((colour >> shift) & 0xff) <= ((DARK >> shift) & 0xff));

interface Placed {
  box: TickBox;
  word: Word;
  /** Index of the page's word that the box precedes. */
  index: number;
}

/** Returns the box as a word before the text on its right, or after the text on its left. */
function placedBox(box: TickBox, { words }: PageContent, marks: readonly Word[]): Placed | undefined {
  const ticked = box.ticked || marks.some((mark) => holdsCentre(box, mark));
  let [after, before] = [-1, -1];
  for (const [index, word] of words.entries()) {
    if (word.angle !== 0 || !isLevel(word, box) || holdsCentre(grow(box, 1), word)) continue;
    if (overlapX(word, box) > 1) return undefined;
    const right = word.x0 - box.x1;
    const left = box.x0 - word.x1;
    if (right > -1 && right < MAX_GAP * word.size && right < (words[after]?.x0 ?? Infinity) - box.x1) after = index;
    if (left > -1 && left < MAX_GAP * word.size && left < box.x0 - (words[before]?.x1 ?? -Infinity)) before = index;
  }
  const [model, other] = [words[after] ?? words[before], words[before]];
  if (model === undefined) return undefined;
  // A box in the space between two words marks the space.
  const room = Math.max(model.x0 - box.x1, box.x0 - (other?.x1 ?? -Infinity));
  if (other !== undefined && model !== other && room < MIN_ROOM * model.size) return undefined;
  const word: Word = { ...model, ...copyBox(box), text: ticked ? '☒' : '☐', glued: false };
  return { box, word, index: after >= 0 ? after : before + 1 };
}

/** Checks that the middle of small letters of the word is at the height of the box. */
const isLevel = (word: Word, box: Box): boolean => {
  const middle = word.baseline - 0.25 * word.size;
  return middle > box.y0 - 0.15 * word.size && middle < box.y1 + 0.15 * word.size;
};

const isInside = ({ horizontal, at, from, to }: Rule, { x0, y0, x1, y1 }: Box): boolean =>
  horizontal ? at > y0 && at < y1 && from > x0 && to < x1 : at > x0 && at < x1 && from > y0 && to < y1;

function inserted(words: readonly Word[], placed: readonly Placed[]): Word[] {
  const result: Word[] = [];
  let done = 0;
  for (const { word, index } of placed.toSorted((a, b) => a.index - b.index)) {
    result.push(...words.slice(done, index), word);
    done = index;
  }
  const rest = words.slice(done);
  return [...result, ...rest];
}
