/** The pages of documents, and of the files of runs, as pictures. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PagePictures } from '../../../domain/pages/page-pictures.ts';
import { documentPages, runFilePages, type PageSource } from '../../../domain/pages/page-source.ts';
import { sendArtifact, sendNotModified } from '../../artifact.ts';
import { ok, route, type Route } from '../../route.ts';
import { pagesShape, pictureQuery } from './schemas.ts';

const DOCUMENT_PAGES = '/v1/w/{ws}/col/{col}/docs/{doc_id}/pages';
const RUN_PAGES = '/v1/w/{ws}/process/{run_id}/files/{file}/pages';
const WHICH = 'PDFs, images, and office files where LibreOffice is installed; else 404 `no_picture`.';
const PICTURE = `WebP, with ETag. ${WHICH}`;

interface PictureInput {
  source: PageSource;
  page: string;
  query: z.output<typeof pictureQuery>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export function pageRoutes(pictures: PagePictures): Route[] {
  const sendPicture = async ({ source, page, query, request, reply }: PictureInput): Promise<FastifyReply> => {
    const { width, box: boxes = [], mark = false } = query;
    const wanted = { page: Number(page), width, boxes, mark };
    const unchanged = sendNotModified(pictures.tag(source, wanted), request, reply);
    return unchanged ?? sendArtifact(await pictures.picture(source, wanted), request, reply);
  };
  const picture = { query: pictureQuery, response: 'image/webp', statuses: [200, 206, 304] } as const;
  return [
    route({
      method: 'GET',
      path: DOCUMENT_PAGES,
      operationId: 'listPages',
      summary: 'List the pages of a document that can be drawn',
      description: WHICH,
      tag: 'Documents',
      permission: 'read',
      signedLinks: true,
      response: pagesShape,
      handler: async ({ records }) => ok(await pictures.pages(documentPages(records.doc_id))),
    }),
    route({
      ...picture,
      method: 'GET',
      path: `${DOCUMENT_PAGES}/{page}`,
      operationId: 'getPage',
      summary: 'Read the picture of a page, with boxes marked or cropped to them',
      description: PICTURE,
      tag: 'Documents',
      permission: 'read',
      signedLinks: true,
      handler: ({ records, params: { page }, query, request, reply }) =>
        sendPicture({ source: documentPages(records.doc_id), page, query, request, reply }),
    }),
    route({
      method: 'GET',
      path: RUN_PAGES,
      operationId: 'listRunPages',
      summary: 'List the pages of a file of a run that can be drawn',
      description: `Until the files expire. ${WHICH}`,
      tag: 'Process',
      permission: 'read',
      response: pagesShape,
      handler: async ({ records, params }) =>
        ok(await pictures.pages(runFilePages(records.run_id, Number(params.file)))),
    }),
    route({
      ...picture,
      method: 'GET',
      path: `${RUN_PAGES}/{page}`,
      operationId: 'getRunPage',
      summary: 'Read the picture of a page of a file of a run, with boxes marked or cropped to them',
      description: `Until the files expire. ${PICTURE}`,
      tag: 'Process',
      permission: 'read',
      handler: ({ records, params: { file, page }, query, request, reply }) =>
        sendPicture({ source: runFilePages(records.run_id, Number(file)), page, query, request, reply }),
    }),
  ];
}
