import { Tooltip } from '@base-ui/react/tooltip';

/** Explains its child on hover and focus. The child must be one element that takes a ref. */
export const Tip = ({
  text,
  isLabel = false,
  children,
}: {
  text: React.ReactNode;
  /** Whether the text is the name of its child, which assistive technology reads already. */
  isLabel?: boolean;
  children: React.ReactElement;
}): React.ReactElement => (
  <Tooltip.Root>
    <Tooltip.Trigger delay={400} render={children as React.ReactElement<Record<string, unknown>>} />
    <Tooltip.Portal>
      <Tooltip.Positioner sideOffset={6} className="z-50" aria-hidden={isLabel || undefined}>
        <Tooltip.Popup className="max-w-72 rounded bg-ink px-2 py-1 text-sm text-paper">{text}</Tooltip.Popup>
      </Tooltip.Positioner>
    </Tooltip.Portal>
  </Tooltip.Root>
);
