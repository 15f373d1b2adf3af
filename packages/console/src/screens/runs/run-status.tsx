import type { Run } from '@quire/client';
import { Status, type Tone } from '../../components/states/status.tsx';

const TONES: Readonly<Record<Run['status'], Tone>> = {
  idle: 'neutral',
  queued: 'busy',
  running: 'busy',
  done: 'ok',
  failed: 'danger',
};

export const RunStatus = ({ status }: Pick<Run, 'status'>): React.ReactElement => (
  <Status tone={TONES[status]}>{status}</Status>
);
