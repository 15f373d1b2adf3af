/** The options of a choice of collections. */
import type { Collection } from '@quire/client';

interface CollectionOptionsProps {
  collections: readonly Pick<Collection, 'id' | 'name'>[];
}

export const CollectionOptions = ({ collections }: CollectionOptionsProps): React.ReactElement[] =>
  collections.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
