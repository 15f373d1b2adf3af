import { InvalidRequestError, type Filter, type Quire, type Schemas } from '@quire/client';
import type { Sample } from '../../components/content/code.tsx';
import { serviceUrl } from '../../data/client.ts';

/** Settings of one column. */
export interface Settings {
  collectionId: string | undefined;
  mode: 'hybrid' | 'dense' | 'sparse' | undefined;
  fusion: 'rrf' | 'minmax' | undefined;
  dense: number | undefined;
}

/** Settings that both columns share. */
export interface Question {
  query: string;
  filter: string | undefined;
  minScore: number | undefined;
  limit: number | undefined;
}

/** Throws an error at the field `filter` if it is not JSON; the service checks the rest. */
export function readFilter(text: string | undefined): Filter | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Filter;
  } catch (error) {
    const msg = `This is not JSON: ${(error as Error).message}`;
    throw new InvalidRequestError(msg, {
      type: 'json_invalid',
      detail: [{ loc: ['body', 'filter'], msg, type: 'json_invalid' }],
    });
  }
}

export function requestOf(question: Question, settings: Settings): Schemas['SearchCollectionsRequest'] {
  const { query, minScore, limit } = question;
  const filter = readFilter(question.filter);
  const { collectionId, mode, fusion, dense } = settings;
  const weights = dense === undefined ? {} : { denseWeight: dense, sparseWeight: Number((1 - dense).toFixed(2)) };
  const isFused = fusion !== undefined || dense !== undefined;
  return {
    query,
    ...(collectionId !== undefined && { collectionIds: [collectionId] }),
    ...(mode !== undefined && { mode }),
    ...(isFused && { fusion: { ...(fusion !== undefined && { method: fusion }), ...weights } }),
    ...(filter !== undefined && { filter }),
    ...(minScore !== undefined && { minScore }),
    ...(limit !== undefined && { limit }),
  };
}

export const runSearch = (quire: Quire, request: Schemas['SearchCollectionsRequest'], signal: AbortSignal) =>
  quire.search({ ...request, highlight: true, explain: true }, { signal });

/** Returns the request as code, with `<key>` in place of the key. */
export function samplesOf(ws: string, request: Schemas['SearchCollectionsRequest']): Sample[] {
  const body = JSON.stringify(request);
  return [
    {
      label: 'curl',
      code: `curl -s ${serviceUrl}/v1/w/${ws}/search \\\n  -H 'Authorization: Bearer <key>' \\\n  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    },
    {
      label: 'TypeScript',
      code: `import { Quire } from '@quire/client';\n\nconst quire = new Quire({ url: '${serviceUrl}', key: process.env.QUIRE_KEY });\nconst { hits } = await quire.search(${JSON.stringify(request, null, 2)});`,
    },
    {
      label: 'Python',
      code: `import httpx\n\nanswer = httpx.post(\n    "${serviceUrl}/v1/w/${ws}/search",\n    headers={"Authorization": "Bearer <key>"},\n    content=r"""${body}""",\n)\nhits = answer.json()["data"]["hits"]`,
    },
  ];
}
