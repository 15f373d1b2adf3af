import { z } from 'zod';
import { WARNING_TYPES } from '@quire/blocks/content-warning';

export const warningShape = z
  .object({ type: z.enum(WARNING_TYPES), message: z.string(), pages: z.array(z.int()) })
  .meta({ id: 'ContentWarning' });
