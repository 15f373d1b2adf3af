import type { Run } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import { listOptions } from '../../data/list.ts';
import type { WorkspaceContext } from '../../data/workspace.ts';

export const runsList = ({ id, quire }: WorkspaceContext) =>
  listOptions<Run>([id, 'runs'], (signal) => quire.runs.list({ limit: 100, signal }));

export const runQuery = ({ id, quire }: WorkspaceContext, runId: string) =>
  queryOptions({
    queryKey: [id, 'run', runId],
    queryFn: ({ signal }) => quire.runs.get(runId, { signal }),
  });

export const runPictureQuery = ({ id, quire }: WorkspaceContext, place: PicturePlace) =>
  queryOptions({
    queryKey: [id, 'run-picture', place],
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: ({ signal }) => {
      const { run, file, page, boxes } = place;
      return quire.runs.page(run, file, page, {
        width: 900,
        signal,
        ...(boxes.length > 0 && { box: boxes, mark: true }),
      });
    },
  });

export interface PicturePlace {
  run: string;
  /** Number of the file in the outcome, from 1. */
  file: number;
  page: number;
  boxes: number[][];
}
