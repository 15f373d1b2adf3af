/** Finds the dimension of a measured value by its unit, in the languages of CLDR. */

export type Dimension = 'length' | 'mass' | 'time' | 'temperature';

const UNITS: Readonly<Record<Dimension, readonly string[]>> = {
  length: ['centimeter', 'foot', 'inch', 'kilometer', 'meter', 'mile', 'millimeter', 'yard'],
  mass: ['gram', 'kilogram', 'ounce', 'pound', 'stone'],
  time: ['day', 'hour', 'minute', 'month', 'second', 'week', 'year'],
  temperature: ['celsius', 'fahrenheit'],
};
/** Units of other dimensions, which answer none of these. */
const OTHER_UNITS = [
  'acre',
  'bit',
  'byte',
  'gallon',
  'gigabyte',
  'hectare',
  'kilobyte',
  'liter',
  'megabyte',
  'percent',
];
/** Units that CLDR writes in another way. */
const EXTRA: Partial<Record<Dimension, readonly string[]>> = {
  mass: ['kg', 'g', 't', 'lb', 'lbs', 'ton', 'tons', 'tonne', 'tonnes'],
  length: ['km', 'm', 'cm', 'mm', 'ft', 'mi', 'feet'],
  temperature: ['°', '°C', '°F', 'K'],
};

/** Maximum length of a unit in characters. */
const MAX_UNIT = 40;

const known = new Map<string, ReadonlyMap<string, Dimension | 'other'>>();

/** Regional variants of languages that spell units in another way: "metre". */
const VARIANTS: Readonly<Record<string, readonly string[]>> = { en: ['en', 'en-GB'] };

/** Returns the written forms of a unit with the numbers 1 and 2. */
export function formsOf(unit: string, language: string): string[] {
  return (VARIANTS[language] ?? [language]).flatMap((variant) =>
    (['long', 'short'] as const).flatMap((unitDisplay) =>
      [1, 2].flatMap((value) => {
        const parts = new Intl.NumberFormat(variant, { style: 'unit', unit, unitDisplay }).formatToParts(value);
        return parts.find(({ type }) => type === 'unit' || type === 'percentSign')?.value ?? [];
      }),
    ),
  );
}

/** Returns the written forms of days, weeks and other units of time. */
export const timeUnits = (language: string): string[] => UNITS.time.flatMap((unit) => formsOf(unit, language));

function dimensionsIn(language: string): ReadonlyMap<string, Dimension | 'other'> {
  const found = known.get(language);
  if (found !== undefined) return found;
  const rows = (Object.keys(UNITS) as Dimension[]).flatMap((dimension) =>
    [...UNITS[dimension].flatMap((unit) => formsOf(unit, language)), ...(EXTRA[dimension] ?? [])].map(
      (form) => [form.toLowerCase(), dimension] as const,
    ),
  );
  const others = OTHER_UNITS.flatMap((unit) => formsOf(unit, language)).map((form) => [form, 'other'] as const);
  const made = new Map<string, Dimension | 'other'>([...others, ...rows]);
  known.set(language, made);
  return made;
}

/** Returns whether a value ends in a unit of another dimension, or is a sum of money; false without a unit. */
export function hasOtherDimension(value: string, dimension: Dimension, language: string | null): boolean {
  if (/\p{Sc}/u.test(value)) return true;
  const unit = /[\p{L}°%‰]+[²³]?$/u.exec(value.slice(-MAX_UNIT))?.[0].toLowerCase() ?? '';
  const found = dimensionsIn(language ?? 'en').get(unit);
  return found !== undefined && found !== dimension;
}
