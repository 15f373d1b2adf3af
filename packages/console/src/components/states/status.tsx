import { Icon, type IconName } from '../icon.tsx';

export type Tone = 'ok' | 'warn' | 'danger' | 'busy' | 'neutral';

const TONES: Readonly<Record<Tone, { className: string; icon: IconName }>> = {
  ok: { className: 'text-ok bg-ok-soft', icon: 'check' },
  warn: { className: 'text-warn bg-warn-soft', icon: 'warning' },
  danger: { className: 'text-danger bg-danger-soft', icon: 'warning' },
  busy: { className: 'text-accent bg-accent-soft', icon: 'retry' },
  neutral: { className: 'text-muted bg-hover', icon: 'info' },
};

/** A state in words, with a colour and an icon, so that it does not depend on the colour. */
export const Status = ({ tone, children }: { tone: Tone; children: React.ReactNode }): React.ReactElement => (
  <span
    className={`inline-flex items-center gap-1 rounded px-1.5 py-px align-middle font-sans text-sm whitespace-nowrap ${TONES[tone].className}`}
  >
    <Icon name={TONES[tone].icon} className="size-3" />
    {children}
  </span>
);

/** A progress bar with its value from 0 to 1; the label is read out. */
export const Progress = ({ value, label }: { value: number; label: string }): React.ReactElement => (
  <span
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(value * 100)}
    aria-valuemin={0}
    aria-valuemax={100}
    className="block h-1.5 overflow-hidden rounded-full bg-hover"
  >
    <span
      className="block h-full rounded-full bg-accent"
      style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }}
    />
  </span>
);
