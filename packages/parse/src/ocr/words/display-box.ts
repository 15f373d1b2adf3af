/** Maps boxes of the recognised picture to the displayed picture. */
import type { BoundingBox } from '@quire/blocks/block';
import { undoRotation } from '../../layout/page/display-box.ts';
import type { RecognisedPicture } from '../ocr.ts';

/** Position of a recognised picture within the displayed one. */
type PicturePlace = Pick<RecognisedPicture, 'width' | 'height' | 'skew' | 'turn' | 'window'>;

/** Maps a box of the upright picture to 0..1 of the displayed picture, from its top left corner. */
export function displayBox(box: readonly [number, number, number, number], picture: PicturePlace): BoundingBox {
  const [left, top, right, bottom] = picture.window ?? [0, 0, 1, 1];
  const [x0, y0, x1, y1] = undoRotation(skewedBack(box, picture), picture.turn);
  const [x, y] = [(share: number) => left + share * (right - left), (share: number) => top + share * (bottom - top)];
  return [rounded(x(x0)), rounded(y(y0)), rounded(x(x1)), rounded(y(y1))];
}

/** Undoes the deskew rotation about the centre of the picture, which had grown by the rotation. */
function skewedBack([x0, y0, x1, y1]: readonly [number, number, number, number], picture: PicturePlace): BoundingBox {
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

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
