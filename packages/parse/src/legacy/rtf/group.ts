import type { Destination } from './destinations.ts';
import { PLAIN_PARAGRAPH } from './flow.ts';
import type { ParagraphState } from './flow.ts';

/** What a group inherits from the one around it and gives back at its end. */
export interface RtfGroup {
  destination: Destination;
  codePage: string;
  symbolFont: string | undefined;
  hidden: boolean;
  /** Bytes that stand for a Unicode character for old readers. */
  fallbackBytes: number;
  /** The group was opened by this destination itself, so its end ends it. */
  opens: boolean;
  /** The field's address, once its instruction is read. */
  address: string | undefined;
  linked: boolean;
  /** Paragraph settings to return to, and the number of flows that they belong to. */
  saved: { paragraph: ParagraphState; flows: number };
}

/** The state outside of all groups, where damaged files leave text. */
export function outermostGroup(codePage: string): RtfGroup {
  return {
    destination: 'body',
    codePage,
    symbolFont: undefined,
    hidden: false,
    fallbackBytes: 1,
    opens: false,
    address: undefined,
    linked: false,
    saved: { paragraph: PLAIN_PARAGRAPH, flows: 1 },
  };
}
