/** Generates `src/generated/api.ts` from the API description. `npm run generate` of the repository calls it. */
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEADER = `/** Types of the HTTP API, generated from docs/openapi.json by \`npm run generate\`. Do not edit. */\n\n`;

/** Keys of a schema without effect on types. Examples would double the size of the file. */
const OMITTED: ReadonlySet<string> = new Set(['examples', 'example', 'pattern', 'format']);
/** Keys whose members have names of the API's own, among which `example` is an ordinary name. */
const NAME_MAPS: ReadonlySet<string> = new Set(['properties', 'schemas', 'parameters', 'paths']);
/** Interfaces that repeat what `operations` and `components` contain. */
const REPEATED: ReadonlySet<string> = new Set(['paths', 'webhooks', '$defs']);

function strip(value: unknown, isNameMap = false): unknown {
  if (Array.isArray(value)) return value.map((each) => strip(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNameMap || !OMITTED.has(key))
      .map(([key, each]) => [
        key,
        key === 'responses' ? strip(successes(each as object)) : strip(each, NAME_MAPS.has(key)),
      ]),
  );
}

/** Leaves out the error responses, which all have the shape that `QuireError` describes. */
const successes = (responses: object): object =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));

/** Returns the TypeScript source of the types of an API description. */
export async function apiTypes(document: object): Promise<string> {
  const nodes = await openapiTypeScript(strip(document) as OpenAPI3);
  const name = (node: object): string => ('name' in node ? (node.name as { text: string }).text : '');
  return HEADER + astToString(nodes.filter((node) => !REPEATED.has(name(node))));
}
