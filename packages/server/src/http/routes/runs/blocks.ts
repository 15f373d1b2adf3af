/** Schemas of the blocks of a run's request, in the order in which errors are reported. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { z } from 'zod';
import { providersOf } from '@quire/models/providers/registry';
import { editOperations, PARSE_FORMATS, type RunBlocks, type TaxonomyNode } from '../../../domain/runs/types.ts';
import { choice, flag, integer, optional, text, uuid } from '../../../validation/fields.ts';
import { jsonObject } from '../../../validation/json-object.ts';
import { limitProblem, MISSING, valueProblem, type Problem } from '../../../validation/problem.ts';

const MAX_INSTRUCTIONS = INPUT_LIMITS.instructions.max;
const MAX_LABEL = INPUT_LIMITS.label.max;
const MAX_DESCRIPTION = INPUT_LIMITS.description.max;
const MAX_LEVELS = INPUT_LIMITS.taxonomyLevels.max;

const modelId = optional(uuid());
const instructions = optional(text({ max: MAX_INSTRUCTIONS }));

const parserConfig = z
  .strictObject({
    provider: optional(choice(...providersOf('parsers'))),
    jpegQuality: optional(integer({ ge: 1, le: 100 })),
    maxPixels: optional(integer({ ge: 10_000, le: 1_000_000_000 })),
    formats: optional(z.array(choice(...PARSE_FORMATS)).max(PARSE_FORMATS.length)),
  })
  .meta({ id: 'RunParserConfig' });

const extractionConfig = z
  .strictObject({
    jsonSchema: jsonObject({ of: 'a JSON schema', size: INPUT_LIMITS.jsonSchema }).describe(
      'JSON Schema (2020-12) of the values to extract',
    ),
    instructions,
    modelId,
  })
  .meta({ id: 'ExtractionConfig' });

const summaryConfig = z
  .strictObject({
    length: choice('short', 'medium', 'long'),
    instructions,
    language: optional(text({ pattern: /^[a-z]{2,3}$/ })),
    modelId,
  })
  .meta({ id: 'SummaryConfig' });

const taxonomyNode: z.ZodType<TaxonomyNode> = z
  .strictObject({
    id: text({ min: 1, max: MAX_LABEL }),
    label: text({ min: 1, max: MAX_LABEL }),
    description: optional(text({ max: MAX_DESCRIPTION })),
    get children() {
      return optional(z.array(taxonomyNode));
    },
  })
  .meta({ id: 'TaxonomyNode' });

const classificationConfig = z
  .strictObject({
    taxonomy: z.array(taxonomyNode).min(1).superRefine(checkTaxonomy),
    multiLabel: optional(flag()),
    modelId,
  })
  .meta({ id: 'ClassificationConfig' });

/** Reports siblings with the same id and nesting beyond `MAX_LEVELS`. */
function checkTaxonomy(nodes: readonly TaxonomyNode[], context: z.RefinementCtx, path: (string | number)[] = []): void {
  const seen = new Set<string>();
  for (const [index, { id, children }] of nodes.entries()) {
    const place = [...path, index];
    if (seen.has(id)) report(context, [...place, 'id'], valueProblem('a sibling has the same id'));
    seen.add(id);
    if (children === undefined || children.length === 0) continue;
    if (path.length / 2 + 1 >= MAX_LEVELS) {
      report(context, [...place, 'children'], limitProblem(MAX_LEVELS, `nested more than ${MAX_LEVELS} levels deep`));
    } else {
      checkTaxonomy(children, context, [...place, 'children']);
    }
  }
}

const editConfig = z
  .strictObject({
    operations: optional(editOperations),
    instructions: optional(text({ min: 1, max: MAX_INSTRUCTIONS })),
    modelId,
  })
  .superRefine(({ operations, instructions: words }, context) => {
    if (operations === undefined && words === undefined) report(context, ['operations'], { problem: MISSING });
    if (operations !== undefined && words !== undefined) {
      report(context, ['instructions'], valueProblem('operations and instructions exclude each other'));
    }
  })
  .meta({ id: 'EditConfig' });

function report(context: z.RefinementCtx, path: (string | number)[], { problem: found }: { problem: Problem }): void {
  context.addIssue({ code: 'custom', path, message: found.msg, params: { problem: found } });
}

const SHAPE = {
  parserId: optional(uuid()),
  parserConfig: optional(parserConfig),
  extractionConfig: optional(extractionConfig),
  summaryConfig: optional(summaryConfig),
  classificationConfig: optional(classificationConfig),
  editConfig: optional(editConfig),
} satisfies { [Name in keyof RunBlocks]-?: z.ZodType };

/** The blocks of a request; without any, the run only parses its files. */
export const runBlocks = z.strictObject(SHAPE).meta({ id: 'RunBlocks' });

export const BLOCK_NAMES: readonly string[] = Object.keys(SHAPE);
