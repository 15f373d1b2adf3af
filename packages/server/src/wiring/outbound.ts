/** The client for requests to other hosts, and the places where local models are found or downloaded from. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResolverOptions } from '@quire/models/local/model-resolver';
import { fetchThrough } from '@quire/models/local/sources/fetch-file';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/env.ts';

export async function openOutbound({ allowPrivateNetwork, extraCaFile }: Config): Promise<OutboundClient> {
  const rules = new AddressRules(allowPrivateNetwork);
  if (extraCaFile === null) return new OutboundClient(rules);
  try {
    return new OutboundClient(rules, { extraCa: await readFile(extraCaFile, 'utf8') });
  } catch (error) {
    throw new ConfigurationError(`Settings:\n  QUIRE_EXTRA_CA_FILE: ${String(error)}`, { cause: error });
  }
}

/** Options that find only models on this machine: requests and jobs download none. */
export function cachedResolverOptions({ dataDir, modelDir, modelHubUrl }: Config): ResolverOptions {
  const cacheDir = path.join(dataDir, 'models');
  return { cacheDir, modelDir, hubUrl: modelHubUrl, fetchFile: null, downloadArchive: null };
}

/** Options that also download from the hub: at the first start and by `npm run models`. */
export function downloadingResolverOptions(config: Config, outbound: OutboundClient): ResolverOptions {
  return { ...cachedResolverOptions(config), fetchFile: fetchThrough(outbound) };
}
