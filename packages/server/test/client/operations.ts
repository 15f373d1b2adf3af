/** The operations of the HTTP API, from its description. */
import { readFileSync } from 'node:fs';

export interface Operation {
  operationId: string;
  method: string;
  /** Path with parameters in braces. */
  path: string;
  /** Names of its query parameters. */
  query: string[];
  takesBody: boolean;
}

interface Description {
  operationId?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: object;
}

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Description>>;
};

export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, parameters = [], requestBody }]) =>
    operationId === undefined
      ? []
      : [
          {
            operationId,
            method: method.toUpperCase(),
            path,
            query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
            takesBody: requestBody !== undefined,
          },
        ],
  ),
);

/** `path` parameters of outputs contain slashes. */
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? '(.+)' : '([^/]+)'))}$`);

// Fixed words come before parameters: `/docs/raw` is not a document.
const PATTERNS = OPERATIONS.map((operation) => ({ operation, matches: pattern(operation.path) })).toSorted(
  (a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length,
);

/** An operation with the decoded path parameters of a request: the workspace, and the others in their order. */
export interface Target {
  operation: Operation;
  workspaceId: string | undefined;
  ids: string[];
}

/** Returns the parts of a path; undefined if one is not valid. */
function decode(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Returns the operation that a request addresses; undefined if the API has none. */
export function operationOf(method: string, path: string): Target | undefined {
  for (const { operation, matches } of PATTERNS) {
    const found = operation.method === method ? matches.exec(path) : null;
    if (found === null) continue;
    const ids = decode(found.slice(1));
    if (ids === undefined) return undefined;
    const workspaceId = operation.path.includes('{ws}') ? ids.shift() : undefined;
    return { operation, workspaceId, ids };
  }
  return undefined;
}
