import type { CallOptions, Transport } from '../transport.ts';

/** `[x0, y0, x1, y1]` in 0..1 of the page, from the top left corner. */
export type Box = readonly number[];

/** Boxes on a page, as citations, hits and evidence carry them. */
export interface PageBox {
  page: number;
  bbox: Box;
}

/** Size of a page as it is displayed: in points for PDFs, in pixels for images. */
export interface PageSize {
  page: number;
  width: number;
  height: number;
}

export interface PageOptions extends CallOptions {
  /** Width of the whole page in pixels, 400 to 2,000; 1,200 by default. */
  width?: number;
  /** Boxes to mark, or to crop the picture to. */
  box?: Box | readonly Box[];
  /** Whether the boxes are marked on the whole page; otherwise the picture is cropped to them. */
  mark?: boolean;
}

export interface PictureOptions extends CallOptions {
  width?: number;
  /** Page to draw; by default the first one that holds the evidence. */
  page?: number;
  /** Crops the picture to the evidence in place of marking it on the whole page. */
  crop?: boolean;
}

/** Returns the picture of a page. */
export function pagePicture(transport: Transport, path: string, options: PageOptions): Promise<Blob> {
  const { width, box = [], mark, signal, timeoutMs } = options;
  const boxes = typeof box[0] === 'number' ? [box as Box] : (box as readonly Box[]);
  const query = { width, mark, box: boxes.map((each) => each.join(',')) };
  return transport.blob({ path, query, signal, timeoutMs });
}
