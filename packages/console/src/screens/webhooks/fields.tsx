/** Fields that the forms for new and for existing webhooks share. */
import type { Webhook } from '@quire/client';
import { ChoicesField, TextField } from '../../components/forms/fields.tsx';
import { EVENTS, type EventType } from './queries.ts';

export const WebhookFields = ({ webhook }: { webhook?: Webhook }): React.ReactElement => (
  <>
    <TextField name="name" label="Name" isRequired autoFocus defaultValue={webhook?.name} />
    <TextField
      name="url"
      label="Address"
      isRequired
      type="url"
      inputMode="url"
      placeholder="https://hooks.example.com/quire"
      defaultValue={webhook?.url}
    />
    <ChoicesField
      name="events"
      label="Events"
      isRequired
      options={EVENTS}
      defaultValues={webhook?.events ?? ['document.ready', 'document.failed']}
    />
  </>
);

export const chosenEvents = (form: FormData): EventType[] =>
  EVENTS.map(({ value }) => value).filter((value) => form.getAll('events').includes(value));
