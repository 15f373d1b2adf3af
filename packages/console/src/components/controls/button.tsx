import type { ComponentProps } from 'react';
import { useRefusal, type Permission } from '../../data/workspace.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Tip } from './tip.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: Kind;
  icon?: IconName;
  isBusy?: boolean;
  /** Permission that the action needs. Without it the button is disabled and says why. */
  needs?: Permission | undefined;
}

const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-accent-ink border-transparent font-medium hover:opacity-90',
  plain: 'bg-surface border-line hover:bg-hover hover:border-line-strong',
  quiet: 'border-transparent hover:bg-hover',
  danger: 'bg-surface border-danger text-danger hover:bg-danger-soft',
};

/** Returns the classes of a button, for links that look like one. */
export const buttonClass = (kind: Kind = 'plain'): string =>
  'inline-flex min-h-8 max-w-full shrink-0 items-center justify-center gap-1.5 rounded-[5px] border px-2.5 py-1 text-left no-underline ' +
  `disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 ${KINDS[kind]}`;

export function Button(props: ButtonProps): React.ReactElement {
  const { kind = 'plain', icon, isBusy = false, needs, className = '', children, ...rest } = props;
  const refusal = useRefusal(needs);
  // A busy or refused button keeps the focus and its explanation; it only does nothing.
  const isOff = isBusy || refusal !== undefined;
  const button = (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(kind)} ${className}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else rest.onClick?.(event);
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {isBusy && <span aria-hidden="true">…</span>}
    </button>
  );
  return refusal === undefined ? button : <Tip text={refusal}>{button}</Tip>;
}

/** A button with an icon only; its label is read out and shown on hover. */
export function IconButton({
  label,
  icon,
  className = '',
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string; icon: IconName }): React.ReactElement {
  return (
    <Tip text={label} isLabel>
      <Button kind="quiet" {...rest} icon={icon} aria-label={label} className={`px-1.5 ${className}`} />
    </Tip>
  );
}
