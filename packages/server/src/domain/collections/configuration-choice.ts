/**
 * Chooses a collection's parser and embedders: those of the request, else its present ones or the workspace's defaults.
 */
import type { ConfigurationRole } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import { ConfigurationRepository } from '../configurations/repository.ts';
import type { NewCollection } from './types.ts';

export interface ConfigurationChoice {
  parser_id: string;
  embedder_id: string;
  sparse_embedder_id: string;
}

type Column = keyof ConfigurationChoice;
type Named = Pick<NewCollection, 'parserId' | 'embedderId' | 'sparseEmbedderId'>;

const CHOICES = [
  ['parserId', 'parser_id', 'parser'],
  ['embedderId', 'embedder_id', 'dense_embedder'],
  ['sparseEmbedderId', 'sparse_embedder_id', 'sparse_embedder'],
] as const satisfies readonly (readonly [keyof Named, Column, ConfigurationRole])[];

/** The column that holds configurations of a role; undefined for language models, which collections do not have. */
export const columnOf = (role: ConfigurationRole): Column | undefined =>
  CHOICES.find((choice) => choice[2] === role)?.[1];

/**
 * Locks the configurations of the request against deletion until the transaction ends. Throws a 422 for ids that are
 * not the workspace's or do not fit their role. Call it before the collection is locked: a change of a configuration
 * locks the configuration first and its users second.
 */
export async function chooseNamed(
  transaction: Executor,
  workspaceId: string,
  input: Named,
): Promise<Partial<ConfigurationChoice>> {
  const named = CHOICES.flatMap(([field]) => input[field] ?? []);
  const found = await new ConfigurationRepository(transaction).findMany(workspaceId, named);
  const roles = new Map(found.map((record) => [record.id, record.role]));
  const problems: ErrorDetail[] = [];
  const choice: Partial<ConfigurationChoice> = {};
  for (const [field, column, role] of CHOICES) {
    const id = input[field];
    if (id === undefined) continue;
    if (roles.get(id) === role) choice[column] = id;
    else problems.push(noSuch(field, role, id));
  }
  if (problems.length > 0) throw new ApiError(422, problems);
  return choice;
}

/** Completes the choice for a new collection with the workspace's defaults. */
export async function chooseAll(
  transaction: Executor,
  workspaceId: string,
  input: Named,
): Promise<ConfigurationChoice> {
  const defaults = await new ConfigurationRepository(transaction).defaults(workspaceId);
  const all = CHOICES.map(([field, , role]) => [field, input[field] ?? defaults.get(role)?.id] as const);
  const choice = await chooseNamed(transaction, workspaceId, Object.fromEntries(all));
  const { parser_id, embedder_id, sparse_embedder_id } = choice;
  if (parser_id === undefined || embedder_id === undefined || sparse_embedder_id === undefined) {
    const missing = CHOICES.filter(([, column]) => choice[column] === undefined);
    throw new ApiError(
      422,
      missing.map(([field, , role]) => noSuch(field, role)),
    );
  }
  return { parser_id, embedder_id, sparse_embedder_id };
}

function noSuch(field: string, role: ConfigurationRole, id?: string): ErrorDetail {
  const error = `there is no such ${role.replace('_', ' ')}`;
  const detail = { loc: ['body', field], msg: `Value error, ${error}`, type: 'value_error', ctx: { error } };
  return id === undefined ? detail : { ...detail, input: id };
}
