/** Reads a chart of an Excel binary workbook: its title and cached numbers ([MS-XLS] 2.1.7.20.1). */
import type { BlockDraft } from '@quire/blocks/block';
import { chartBlocks, type ChartSeries } from '../../office/drawing/chart.ts';
import { formatGeneral } from '../../office/sheet/number-format.ts';
import { biffText, BiffType, type BiffRecord } from './records.ts';

const TITLE = 1;
const VALUES = 1;
const CATEGORIES = 2;

export class BiffChart {
  readonly #series: ChartSeries[] = [];
  /** For each open block, whether it is a series. */
  readonly #blocks: boolean[] = [];
  #before = 0;
  #title = '';
  #caption = '';
  #cache = 0;

  add(record: BiffRecord): void {
    const { type, data } = record;
    if (type === BiffType.series) this.#series.push({ name: '', categories: new Map(), values: new Map() });
    else if (type === BiffType.blockBegin) this.#blocks.push(this.#before === BiffType.series);
    else if (type === BiffType.blockEnd) this.#blocks.pop();
    else if (type === BiffType.caption && data.length > 3) this.#addCaption(biffText(data, 3, data[2] ?? 0));
    else if (type === BiffType.captionOf && data.length >= 2 && data.readUInt16LE(0) === TITLE)
      this.#title = this.#caption;
    else if (type === BiffType.cacheOf && data.length >= 2) this.#cache = data.readUInt16LE(0);
    else if (type === BiffType.number && data.length >= 14) this.#point(data, formatGeneral(data.readDoubleLE(6)));
    else if (type === BiffType.label && data.length > 8) this.#point(data, biffText(data, 8, data.readUInt16LE(6)));
    this.#before = type;
  }

  blocks(): BlockDraft[] {
    return chartBlocks(this.#title, this.#series);
  }

  #addCaption(text: string): void {
    const series = this.#series.at(-1);
    if (this.#blocks.includes(true) && series) series.name = text;
    else this.#caption = text;
  }

  /** Caches have one row per point and one column per series. */
  #point(data: Buffer, text: string): void {
    const series = this.#series[data.readUInt16LE(2)];
    if (this.#cache === VALUES) series?.values.set(data.readUInt16LE(0), text);
    if (this.#cache === CATEGORIES) series?.categories.set(data.readUInt16LE(0), text);
  }
}
