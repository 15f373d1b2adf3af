/** SQL for the workspace that a job works for. Slots are shared out fairly among workspaces. */
import { sql, type RawBuilder } from 'kysely';

/**
 * Returns the workspace of the row `jobs`: from its payload, by its collection, or from the prefix of its objects
 * (`workspaces/<id>/`); empty for the work of the service itself.
 */
export const jobOwner = (): RawBuilder<string> => sql<string>`coalesce(
  jobs.payload->>'workspaceId',
  (select workspace_id::text from collections
    where id = case when jobs.payload->>'collectionId' ~ '^[0-9a-f-]{36}$' then (jobs.payload->>'collectionId')::uuid end),
  nullif(split_part(jobs.payload->>'prefix', '/', 2), ''),
  '')`;

/**
 * Number of due jobs, in their order, in which those of workspaces without a slot are searched. The first job of a
 * workspace has the smallest priority, so that it is among them.
 */
export const SEARCHED_JOBS = 1_000;
