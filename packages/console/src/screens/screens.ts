/** The routes of all screens. A new screen adds its route here and its entry to `navigation.ts`. */
import { startRoute } from './start/route.ts';
import { collectionsRoute } from './collections/route.ts';
import { documentsRoute } from './documents/route.ts';
import { documentRoute } from './document/route.ts';
import { searchRoute } from './search/route.ts';
import { chatRoute, chatsRoute } from './chat/route.ts';
import { evaluationRoute } from './evaluation/route.ts';
import { runsRoute } from './runs/route.ts';
import { configurationsRoute } from './configurations/route.ts';
import { webhooksRoute } from './webhooks/route.ts';
import { connectorsRoute } from './connectors/route.ts';
import { keysRoute } from './keys/route.ts';
import { auditRoute } from './audit/route.ts';
import { systemRoute } from './system/route.ts';

export const screens = [
  startRoute,
  collectionsRoute,
  documentsRoute,
  documentRoute,
  searchRoute,
  chatsRoute,
  chatRoute,
  evaluationRoute,
  runsRoute,
  configurationsRoute,
  webhooksRoute,
  connectorsRoute,
  keysRoute,
  auditRoute,
  systemRoute,
] as const;
