/** From boxes of the picture that was read to boxes of the picture as it is shown. */
import type { BoundingBox } from '../../../content/block.ts';
import type { RecognisedPicture } from './ocr.ts';

/** A box of the upright picture on the picture as it is shown, in 0..1 from its top left corner. */
export function shownBox(box: readonly [number, number, number, number], picture: RecognisedPicture): BoundingBox {
  const [x0, y0, x1, y1] = skewedBack(box, picture);
  if (picture.turn === 1) return [y0, flip(x1), y1, flip(x0)];
  if (picture.turn === 2) return [flip(x1), flip(y1), flip(x0), flip(y0)];
  if (picture.turn === 3) return [flip(y1), x0, flip(y0), x1];
  return [x0, y0, x1, y1];
}

/** Undoes the straightening: corners are turned back about the centre of the picture, which had grown by the turn. */
function skewedBack(
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  picture: RecognisedPicture,
): BoundingBox {
  const angle = (-picture.skew * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const { width, height } = picture;
  const grown = cosine * cosine - sine * sine;
  const [wide, high] = [
    (width * cosine - height * Math.abs(sine)) / grown,
    (height * cosine - width * Math.abs(sine)) / grown,
  ];
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ].map(([x = 0, y = 0]) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [(dx * cosine - dy * sine) / wide + 0.5, (dx * sine + dy * cosine) / high + 0.5] as const;
  });
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [clamp(Math.min(...xs)), clamp(Math.min(...ys)), clamp(Math.max(...xs)), clamp(Math.max(...ys))];
}

const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
const flip = (value: number): number => clamp(1 - value);
