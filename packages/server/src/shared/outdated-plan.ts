/**
 * Whether a statement failed because a migration of another process changed a table below its prepared plan. Its
 * transaction is rolled back, and a repetition succeeds.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error && error.message === 'cached plan must not change result type';
