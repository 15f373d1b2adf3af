/** Lists the shapes that a position in the data may have. */
import type { JsonType } from '../../schema/keywords.ts';
import { anyShape, merge, type Shape } from '../../schema/shape.ts';

const MAX_VARIANTS = 12;
const known = new WeakMap<Shape, readonly Shape[]>();

/** Returns shapes without alternatives, always as the same objects, so that they can serve as keys. */
export function variantsOf(shape: Shape): readonly Shape[] {
  const done = known.get(shape);
  if (done !== undefined) return done;
  const own = { ...shape, alternatives: [] };
  const variants =
    shape.alternatives.length === 0
      ? [withRequired(shape)]
      : shape.alternatives
          .flatMap((alternative) => variantsOf(merge(own, alternative)))
          .filter(({ types }) => types === null || types.size > 0)
          .slice(0, MAX_VARIANTS);
  known.set(shape, variants);
  return variants;
}

/** Adds required properties without a description, which may hold anything. */
function withRequired(shape: Shape): Shape {
  const undescribed = [...shape.required].filter((name) => !shape.properties.has(name));
  if (undescribed.length === 0) return shape;
  const properties = new Map(shape.properties);
  for (const name of undescribed) properties.set(name, UNDESCRIBED);
  return { ...shape, properties };
}

const UNDESCRIBED = anyShape();

export function allows(shape: Shape, type: JsonType): boolean {
  if (shape.types === null || shape.types.has(type)) return true;
  return type === 'integer' && shape.types.has('number');
}

export const isObjectShape = (shape: Shape): boolean =>
  shape.types === null ? shape.properties.size > 0 : shape.types.has('object');

export const isArrayShape = (shape: Shape): boolean =>
  !isObjectShape(shape) &&
  (shape.types === null ? shape.items !== null || shape.prefixItems.length > 0 : shape.types.has('array'));
