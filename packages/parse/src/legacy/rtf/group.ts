import type { Destination } from './destinations.ts';
import { PLAIN_PARAGRAPH } from './paragraph-flow.ts';
import type { ParagraphState } from './paragraph-flow.ts';

/** State that a group inherits from its parent and restores at its end. */
export interface RtfGroup {
  destination: Destination;
  codePage: string;
  symbolFont: string | undefined;
  hidden: boolean;
  struck: boolean;
  shift: 'raised' | 'lowered' | undefined;
  /** Number of fallback bytes that follow a Unicode character for old readers. */
  fallbackBytes: number;
  /** True if this destination opened the group, so that its end ends the destination. */
  opens: boolean;
  /** Address of the field after its instruction was read. */
  address: string | undefined;
  linked: boolean;
  /** Paragraph settings to restore, and the number of flows that they belong to. */
  saved: { paragraph: ParagraphState; flows: number };
}

/** Returns the state outside of all groups, where damaged files have text. */
export function outermostGroup(codePage: string): RtfGroup {
  return {
    destination: 'body',
    codePage,
    symbolFont: undefined,
    hidden: false,
    struck: false,
    shift: undefined,
    fallbackBytes: 1,
    opens: false,
    address: undefined,
    linked: false,
    saved: { paragraph: PLAIN_PARAGRAPH, flows: 1 },
  };
}
