/** Removes the parts of a path that are completely inside a redacted box. */
import type { PageBox } from '../../page-geometry.ts';
import type { ContentOperation } from './content-tokens.ts';
import { numberOf } from './graphics-state.ts';
import type { Matrix } from '@quire/parse/formats/pdf/matrix';
import { mapBox } from '../targets/page-boxes.ts';
import type { RedactionMask } from '../targets/redaction-mask.ts';

interface Subpath {
  operations: ContentOperation[];
  points: [number, number][];
}

const CONSTRUCTION = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
const PAINTING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 's', 'S', 'n']);

export class PathEraser {
  #subpaths: Subpath[] = [];
  #clips = false;

  /** Returns the edits that the operation causes. Only a painting operator causes any. */
  take(operation: ContentOperation, matrix: Matrix, mask: RedactionMask): (ContentOperation & { source: string })[] {
    const { name } = operation;
    if (mask.areas.length === 0) return [];
    if (CONSTRUCTION.has(name)) this.#construct(operation);
    else if (name === 'W' || name === 'W*') this.#clips = true;
    else if (PAINTING.has(name)) {
      const subpaths = this.#subpaths;
      const stays = this.#clips || name === 'n';
      this.#subpaths = [];
      this.#clips = false;
      if (stays) return [];
      const inside = subpaths.filter(
        ({ points }) => points.length > 0 && mask.contains(mapBox(matrix, around(points))),
      );
      return inside.flatMap(({ operations }) => operations.map((each) => ({ ...each, source: '' })));
    }
    return [];
  }

  #construct(operation: ContentOperation): void {
    const numbers = operation.operands.map(numberOf);
    if (operation.name === 'm' || operation.name === 're' || this.#subpaths.length === 0) {
      this.#subpaths.push({ operations: [], points: [] });
    }
    const subpath = this.#subpaths.at(-1);
    subpath?.operations.push(operation);
    if (operation.name === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = numbers;
      subpath?.points.push([x, y], [x + width, y + height]);
    } else {
      for (let at = 0; at + 1 < numbers.length; at += 2) subpath?.points.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
    }
  }
}

function around(points: readonly (readonly [number, number])[]): PageBox {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}
