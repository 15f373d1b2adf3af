/** One described field, and the values that many examples share. */
export const ID = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';
export const TIME = '2026-05-04T09:30:00.000Z';

export interface FieldDescription {
  description: string;
  example?: unknown;
}

export const field = (description: string, example?: unknown): FieldDescription =>
  example === undefined ? { description } : { description, example };
