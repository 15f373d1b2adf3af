import { InvalidRequestError } from '@quire/client';

/** Returns a JSON object; throws the error of a field, in the form of the service's errors. */
export function readJsonObject(text: string | undefined, ...place: string[]): Record<string, unknown> {
  const fault = (msg: string): InvalidRequestError =>
    new InvalidRequestError(msg, {
      type: 'json_invalid',
      detail: [{ loc: ['body', ...place], msg, type: 'json_invalid' }],
    });
  let value: unknown;
  try {
    value = JSON.parse(text ?? '{}');
  } catch (error) {
    throw fault(`This is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw fault('This is not a JSON object such as {"name": "value"}');
}
