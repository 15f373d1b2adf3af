/** Finds the dimension of a measured value by its unit, in the languages of CLDR. */

export type Dimension = 'length' | 'mass' | 'time' | 'temperature' | 'area';

const UNITS: Readonly<Record<Dimension, readonly string[]>> = {
  length: ['centimeter', 'foot', 'inch', 'kilometer', 'meter', 'mile', 'millimeter', 'yard'],
  mass: ['gram', 'kilogram', 'ounce', 'pound', 'stone'],
  time: ['day', 'hour', 'minute', 'month', 'second', 'week', 'year'],
  temperature: ['celsius', 'fahrenheit'],
  area: ['acre', 'hectare'],
};
/** Units of area that CLDR lacks. */
export const AREA_UNITS: readonly string[] = [
  ['m²', 'm2', 'km²', 'km2', 'cm²', 'qm', 'sq ft', 'sq m', 'sq km', 'sq mi'],
  ['square metre', 'square metres', 'square meter', 'square meters', 'square foot', 'square feet'],
  ['square mile', 'square miles', 'square kilometre', 'square kilometres', 'square kilometer', 'square kilometers'],
  ['square inch', 'square inches', 'square yard', 'square yards'],
  ['Quadratmeter', 'Quadratmetern', 'Quadratkilometer', 'Quadratkilometern', 'Quadratzentimeter'],
  ['mètre carré', 'mètres carrés', 'kilomètre carré', 'kilomètres carrés'],
  ['metro cuadrado', 'metros cuadrados', 'kilómetro cuadrado', 'kilómetros cuadrados'],
].flat();
/** Words between a number and a unit of time, as a pattern by language: "ten working days", "zehn Werktage". */
export const BEFORE_TIME_UNITS: Readonly<Record<string, string>> = {
  en: '(?:(?:an?|working|business|calendar|consecutive|full|school|trading|successive)[ -])?',
  de: '(?:(?:volle|ganze|halbe|aufeinander ?folgende)[nr]? )?(?:Viertel|Arbeits|Werk|Kalender|Bank|Schul|Urlaubs|Geschäfts|Lebens|Zeit|Unterrichts|Jahres)?',
  fr: "(?:longue?s |demi-|quart d[’'])?",
  es: '(?:cuarto de )?',
};
/** Units of other dimensions, which answer none of these. */
const OTHER_UNITS = ['bit', 'byte', 'gallon', 'gigabyte', 'kilobyte', 'liter', 'megabyte', 'percent'];
/** Units that CLDR writes in another way. */
const EXTRA: Partial<Record<Dimension, readonly string[]>> = {
  mass: ['kilo', 'kilos', 'kg', 'g', 't', 'lb', 'lbs', 'ton', 'tons', 'tonne', 'tonnes'],
  length: ['km', 'm', 'cm', 'mm', 'ft', 'mi', 'feet'],
  temperature: ['°', '°C', '°F', 'K'],
  area: AREA_UNITS,
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
  const words = value.slice(-MAX_UNIT).split(/[\s\u00a0]+/u);
  const one = /[\p{L}°%‰]+[²³23]?$/u.exec(words.at(-1) ?? '')?.[0] ?? '';
  const found = dimensionOf(words.slice(-2).join(' '), language) ?? dimensionOf(one, language);
  return found !== undefined && found !== dimension;
}

/** Unit of mass and of money. */
const AMBIGUOUS = /^(?:pounds?|pfund|libras?|livres?)$/iu;

/** Returns the unit that a text begins with; its dimension is null if it is of another one (“bytes”). */
export function unitAt(text: string, language: string | null): { text: string; dimension: Dimension | null } | null {
  const [first = '', second = ''] = text.split(/\s+/u);
  if (AMBIGUOUS.test(first)) return null;
  const unit = [`${first} ${second}`, first].find((each) => dimensionOf(each, language) !== undefined);
  if (unit === undefined) return null;
  const dimension = dimensionOf(unit, language);
  return { text: unit, dimension: dimension === undefined || dimension === 'other' ? null : dimension };
}

const dimensionOf = (unit: string, language: string | null): Dimension | 'other' | undefined =>
  dimensionsIn(language ?? 'en').get(unit.toLowerCase());
