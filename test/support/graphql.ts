/**
 * A small GraphQL server: it throws on a query that is not valid, and gives the fields that a valid one
 * selects. https://spec.graphql.org/October2021
 */

/** The types of fields, and the arguments that these need. A name without an entry is a scalar. */
export type Schema = Readonly<
  Record<string, Readonly<Record<string, readonly [type: string, ...args: readonly string[]]>>>
>;

interface Field {
  readonly alias: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly selections: readonly Selection[] | undefined;
}
type Selection =
  | ({ readonly kind: 'field' } & Field)
  | { readonly kind: 'spread'; readonly name: string }
  | { readonly kind: 'inline'; readonly on: string; readonly selections: readonly Selection[] };

/** What a field of an object gives. An object has its type in `__typename`. */
export type Resolver = (name: string, args: Readonly<Record<string, unknown>>) => unknown;

/** The data of a query. Each field of an object is a value, or is asked of its `resolve`. */
export function execute(
  schema: Schema,
  { query, variables }: { readonly query: string; readonly variables: object },
  root: object,
): unknown {
  const { operation, fragments, declared } = parse(query);
  for (const name of declared) if (!(name in variables)) throw new Error(`no value for $${name}`);

  function fieldsOf(type: string, value: object, selections: readonly Selection[]): object {
    const typeOfValue = (value as { __typename?: string }).__typename ?? type;
    const data: Record<string, unknown> = {};
    for (const one of selections) {
      if (one.kind === 'field') {
        if (one.alias in data) throw new Error(`${one.alias} is asked for twice`);
        data[one.alias] = completed(typeOfValue, value, one);
        continue;
      }
      const part = one.kind === 'inline' ? one : fragments.get(one.name);
      if (part === undefined) throw new Error('an unknown fragment');
      if (schema[part.on] === undefined) throw new Error(`no type ${part.on}`);
      if (part.on === typeOfValue) Object.assign(data, fieldsOf(part.on, value, part.selections));
    }
    return data;
  }

  function completed(type: string, value: object, { name, args, selections }: Field): unknown {
    if (name === '__typename') return type;
    const [fieldType, ...needed] = schema[type]?.[name] ?? [];
    if (fieldType === undefined) throw new Error(`${type} has no field ${name}`);
    if (needed.toSorted().join() !== Object.keys(args).toSorted().join()) {
      throw new Error(`${name} has other arguments`);
    }
    const given = Object.entries(args).map(([key, arg]) => {
      if (typeof arg !== 'object' || arg === null) return [key, arg];
      const { variable } = arg as { readonly variable: string };
      if (!declared.includes(variable)) throw new Error(`$${variable} is not declared`);
      return [key, (variables as Readonly<Record<string, unknown>>)[variable]];
    });
    const own = (value as Readonly<Record<string, unknown>>)[name];
    const result = typeof own === 'function' ? own(Object.fromEntries(given)) : own;
    const isObject = schema[fieldType] !== undefined;
    if (isObject !== (selections !== undefined)) throw new Error(`${name} and its selection`);
    const complete = (item: unknown): unknown =>
      isObject && typeof item === 'object' && item !== null && selections !== undefined
        ? fieldsOf(fieldType, item, selections)
        : (item ?? null);
    return Array.isArray(result) ? result.map(complete) : complete(result);
  }

  return fieldsOf('Query', root, operation);
}

/** Throws at the first thing that is not GraphQL. */
function parse(text: string) {
  const tokens = [...text.matchAll(/\s+|\.\.\.|[{}()[\]:!$,]|"[^"\\\n]*"|-?\d+|[A-Za-z_]\w*|(.)/gs)]
    .map(([token, other]) => {
      if (other !== undefined) throw new Error(`not a token: ${other}`);
      return token.trim();
    })
    .filter((token) => token !== '' && token !== ',');
  let at = 0;
  const peek = () => tokens[at];
  function take(expected?: RegExp): string {
    const token = tokens[at] ?? 'the end';
    if (expected !== undefined && !expected.test(token)) {
      throw new Error(`${token} where ${expected} should be`);
    }
    at += 1;
    return token;
  }
  const NAME = /^[A-Za-z_]\w*$/;
  function selectionSet(): readonly Selection[] {
    const selections: Selection[] = [];
    take(/^\{$/);
    do selections.push(selection());
    while (peek() !== '}');
    take();
    return selections;
  }
  function selection(): Selection {
    if (peek() === '...') {
      take();
      if (peek() !== 'on') return { kind: 'spread', name: take(NAME) };
      take();
      return { kind: 'inline', on: take(NAME), selections: selectionSet() };
    }
    const first = take(NAME);
    const name = peek() === ':' && take() === ':' ? take(NAME) : first;
    const args: Record<string, unknown> = {};
    if (peek() === '(') {
      take();
      do {
        const key = take(NAME);
        take(/^:$/);
        args[key] = peek() === '$' && take() === '$' ? { variable: take(NAME) } : literal();
      } while (peek() !== ')');
      take();
    }
    const selections = peek() === '{' ? selectionSet() : undefined;
    return { kind: 'field', alias: first, name, args, selections };
  }
  const literal = () => JSON.parse(take(/^(?:"|-?\d)/)) as unknown;

  take(/^query$/);
  const declared: string[] = [];
  take(/^\($/);
  do {
    take(/^\$$/);
    declared.push(take(NAME));
    take(/^:$/);
    take(/^String$/);
    take(/^!$/);
  } while (peek() !== ')');
  take();
  const operation = selectionSet();
  const fragments = new Map<string, { on: string; selections: readonly Selection[] }>();
  while (peek() !== undefined) {
    take(/^fragment$/);
    const name = take(NAME);
    take(/^on$/);
    fragments.set(name, { on: take(NAME), selections: selectionSet() });
  }
  return { operation, fragments, declared };
}
