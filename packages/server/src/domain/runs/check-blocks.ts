/** Checks the blocks of a request beyond their shape; each problem has its location. */
import type { ErrorDetail } from '../../errors.ts';
import { ApiError } from '../../errors.ts';
import { requestedModules } from '@quire/process/registry';
import type { ConfigurationService } from '../configurations/service.ts';
import type { ParserChoices } from '../configurations/parser-choice.ts';
import type { RunBlocks } from './types.ts';

export interface CheckBlocksDeps {
  configurations: Pick<ConfigurationService, 'findById'>;
  parsers: ParserChoices;
}

export async function checkBlocks(
  workspaceId: string,
  blocks: RunBlocks,
  deps: CheckBlocksDeps,
): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  if (blocks.parserId !== undefined || blocks.parserConfig !== undefined) {
    const refusal = await deps.parsers.choose(workspaceId, blocks).then(() => undefined, asApiError);
    if (refusal !== undefined) problems.push(...refusal.details);
  }
  for (const { block, modelId, check } of requestedModules(blocks)) {
    const found = await check();
    for (const { path, error } of found) problems.push(valueDetail(['body', block, ...path], error));
    if (modelId === null) continue;
    const model = await deps.configurations.findById(workspaceId, 'models', modelId);
    if (model === undefined || model.deleted_at !== null) {
      problems.push(valueDetail(['body', block, 'modelId'], 'there is no such model', modelId));
    }
  }
  return problems;
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

const valueDetail = (loc: ErrorDetail['loc'], error: string, input?: unknown): ErrorDetail => ({
  loc,
  msg: `Value error, ${error}`,
  type: 'value_error',
  ctx: { error },
  ...(input === undefined ? {} : { input }),
});
