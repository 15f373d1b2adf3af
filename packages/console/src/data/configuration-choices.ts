import { queryOptions } from '@tanstack/react-query';
import type { WorkspaceContext } from './workspace.ts';

interface Choice {
  value: string;
  label: string;
}

const choices = (records: readonly { id: string; name: string; isDefault: boolean }[]): Choice[] =>
  records.map(({ id, name, isDefault }) => ({ value: id, label: isDefault ? `${name} (default)` : name }));

/** The configurations of the workspace, as options of select fields. */
export const configurationChoices = ({ id, quire }: WorkspaceContext) =>
  queryOptions({
    queryKey: [id, 'configurations', 'choices'],
    queryFn: async ({ signal }) => {
      const [embedders, parsers, models] = await Promise.all([
        quire.embedders.list({ limit: 100, signal }).page(),
        quire.parsers.list({ limit: 100, signal }).page(),
        quire.models.list({ limit: 100, signal }).page(),
      ]);
      const isSparse = ({ config }: { config: { provider: string } }): boolean => config.provider === 'bm25';
      return {
        dense: choices(embedders.items.filter((each) => !isSparse(each))),
        sparse: choices(embedders.items.filter((each) => isSparse(each))),
        parsers: choices(parsers.items),
        models: choices(models.items),
      };
    },
  });
