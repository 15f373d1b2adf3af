/** Finds the text lines in the detector's map, which has the probability of text for each pixel. */

/** A map of probabilities, row by row. */
export interface ProbabilityMap {
  values: Float32Array;
  width: number;
  height: number;
}

/** A line of text in pixels: a parallelogram with vertical sides. */
export interface LineRegion {
  /** Left edge, and centre of that edge. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Descent of the line per pixel to the right. */
  slope: number;
}

/** Probability from which a pixel is text, and mean probability from which a region is. */
const TEXT = 0.3;
const REGION = 0.5;
/** Minimum sides of a region in pixels of the map. */
const MIN_SIDE = 3;
/** The detector marks the core of a line; a region grows by this ratio of its area to its perimeter. */
const GROWTH = 1.6;
/** Minimum aspect ratio for which the slope of a line is measured. */
const MIN_SLOPE_ASPECT = 3;
/** Maximum slope; the picture was deskewed before. */
const MAX_SLOPE = 0.15;

interface Run {
  y: number;
  from: number;
  to: number;
}

/** Returns the lines of a map, unordered. */
export function findLineRegions(map: ProbabilityMap): LineRegion[] {
  return textRegions(map).flatMap((runs) => {
    const region = regionOf(runs, map);
    return region === undefined ? [] : [region];
  });
}

/** Returns the runs of text pixels of each connected region. */
function textRegions({ values, width, height }: ProbabilityMap): Run[][] {
  const runs: Run[] = [];
  const parents: number[] = [];
  const root = (index: number): number => {
    let at = index;
    while (parents[at] !== at) at = parents[at] = parents[parents[at] ?? at] ?? at;
    return at;
  };
  let above = 0;
  for (let y = 0; y < height; y += 1) {
    const start = runs.length;
    for (const { from, to } of runsOf(values.subarray(y * width, (y + 1) * width))) {
      const index = runs.push({ y, from, to }) - 1;
      parents.push(index);
      for (let other = above; other < start; other += 1) {
        const run = runs[other];
        if (run !== undefined && run.from <= to && run.to >= from) parents[root(other)] = root(index);
      }
    }
    above = start;
  }
  const regions = new Map<number, Run[]>();
  runs.forEach((run, index) => {
    const key = root(index);
    const region = regions.get(key);
    if (region === undefined) regions.set(key, [run]);
    else region.push(run);
  });
  return [...regions.values()];
}

function* runsOf(row: Float32Array): Generator<{ from: number; to: number }> {
  let from = -1;
  for (let x = 0; x <= row.length; x += 1) {
    const isText = (row[x] ?? 0) > TEXT;
    if (isText && from === -1) from = x;
    if (!isText && from !== -1) {
      yield { from, to: x };
      from = -1;
    }
  }
}

function regionOf(runs: readonly Run[], map: ProbabilityMap): LineRegion | undefined {
  const left = Math.min(...runs.map(({ from }) => from));
  const right = Math.max(...runs.map(({ to }) => to));
  const slope = slopeOf(runs, left, right);
  const levels = runs.map(({ y, from, to }) => y - slope * ((from + to) / 2 - left));
  const [top, bottom] = [Math.min(...levels), Math.max(...levels) + 1];
  const [width, height] = [right - left, bottom - top];
  if (Math.min(width, height) < MIN_SIDE || meanProbability(runs, map) < REGION) return undefined;
  const growth = (GROWTH * width * height) / (2 * (width + height));
  return {
    x: left - growth,
    y: (top + bottom) / 2 - slope * growth,
    width: width + 2 * growth,
    height: height + 2 * growth,
    slope,
  };
}

/** Returns the slope of a long region by linear regression of its pixels; 0 for others. */
function slopeOf(runs: readonly Run[], left: number, right: number): number {
  const rows = new Set(runs.map(({ y }) => y)).size;
  if (right - left < MIN_SLOPE_ASPECT * rows && rows > MIN_SIDE * 4) return 0;
  let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const run of runs) {
    const length = run.to - run.from;
    const centre = (run.from + run.to - 1) / 2 - left;
    n += length;
    x += length * centre;
    y += length * run.y;
    xx += length * (centre * centre + (length * length - 1) / 12);
    xy += length * centre * run.y;
  }
  const variance = xx - (x * x) / n;
  const slope = variance > 0 ? (xy - (x * y) / n) / variance : 0;
  return Math.abs(slope) > MAX_SLOPE ? 0 : slope;
}

function meanProbability(runs: readonly Run[], { values, width }: ProbabilityMap): number {
  let [sum, count] = [0, 0];
  for (const { y, from, to } of runs) {
    for (let x = from; x < to; x += 1) sum += values[y * width + x] ?? 0;
    count += to - from;
  }
  return sum / count;
}
