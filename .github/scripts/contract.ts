/**
 * `node .github/scripts/contract.ts FILE`: compares an OpenAPI document of Mintlify's agent API with
 * what the action relies on. Prints each difference and fails if there is one.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_BASE_URL, FATES } from '../../src/model/agent-job.ts';

const JOB = '/v2/agent/{projectId}/job';
const OPERATIONS = [
  { method: 'post', path: JOB, parameters: ['projectId'], sends: true, success: '201' },
  { method: 'get', path: `${JOB}/{id}`, parameters: ['projectId', 'id'], success: '200' },
  {
    ...{ method: 'post', path: `${JOB}/{id}/message`, sends: true },
    ...{ parameters: ['projectId', 'id'], success: '200' },
  },
] as const;

/** The fields of an agent job that become outputs or decide something. */
const TEXT_FIELDS = ['id', 'status', 'model', 'prLink', 'createdAt', 'archivedAt'];
const SOURCE_FIELDS = ['repository', 'ref'];

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectAt = (value: unknown, ...keys: readonly string[]): Json => {
  const found = keys.reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  return isObject(found) ? found : {};
};
const listAt = (value: Json, key: string): readonly unknown[] => {
  const list = value[key];
  return Array.isArray(list) ? list : [];
};

/**
 * One sentence for each way in which the document no longer promises what the action relies on, or
 * promises more than it knows. Whatever else the document adds does not matter.
 */
export function contractDifferences(document: unknown): readonly string[] {
  const differences: string[] = [];
  /** A schema, parameter or response, which may stand somewhere else in the document. */
  const resolved = (value: unknown): Json => {
    const found = isObject(value) ? value : {};
    const reference = found['$ref'];
    return typeof reference === 'string'
      ? resolved(objectAt(document, ...reference.replace(/^#\//, '').split('/')))
      : found;
  };
  const contentOf = (value: unknown) =>
    resolved(objectAt(resolved(value), 'content', 'application/json')['schema']);
  const propertyOf = (schema: Json, name: string) => resolved(objectAt(schema, 'properties')[name]);

  const expectText = (where: string, schema: Json, names: readonly string[]) => {
    for (const name of names) {
      const { type } = propertyOf(schema, name);
      // OpenAPI 3.1 writes a text that may be null as two types.
      const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
      if (types.join() !== 'string') differences.push(`${where}: \`${name}\` is not a string.`);
    }
  };
  const expectJob = (where: string, schema: Json) => {
    expectText(where, schema, TEXT_FIELDS);
    expectText(`${where}, \`source\``, propertyOf(schema, 'source'), SOURCE_FIELDS);
    const statuses = listAt(propertyOf(schema, 'status'), 'enum').map(String);
    const known = Object.keys(FATES);
    for (const status of statuses.filter((one) => !known.includes(one))) {
      differences.push(`${where}: the status \`${status}\` is new.`);
    }
    for (const status of known.filter((one) => !statuses.includes(one))) {
      differences.push(`${where}: the status \`${status}\` is not listed.`);
    }
  };
  const expectParameters = (where: string, operation: Json, inPath: readonly string[]) => {
    for (const parameter of listAt(operation, 'parameters').map(resolved)) {
      const name = String(parameter['name']);
      const isKnown = parameter['in'] === 'path' && inPath.includes(name);
      if (parameter['required'] === true && !isKnown) {
        differences.push(`${where}: the parameter \`${name}\` is required.`);
      }
    }
  };
  const expectBody = (where: string, operation: Json) => {
    const schema = contentOf(operation['requestBody']);
    expectText(`${where}, request`, schema, ['prompt']);
    const { minLength = 1, maxLength } = propertyOf(schema, 'prompt');
    if (minLength !== 1) differences.push(`${where}: \`prompt\` has a minimum of ${minLength}.`);
    if (maxLength !== undefined) {
      differences.push(`${where}: \`prompt\` has at most ${maxLength} characters.`);
    }
    for (const name of listAt(schema, 'required').filter((one) => one !== 'prompt')) {
      differences.push(`${where}: \`${name}\` is required in the request.`);
    }
  };
  const expectResponses = (where: string, operation: Json, success: string) => {
    const responses = objectAt(operation, 'responses');
    for (const code of Object.keys(responses)) {
      if (/^[45]/.test(code) || code === 'default') {
        expectText(`${where}, response ${code}`, contentOf(responses[code]), ['error']);
      } else if (code !== success) {
        differences.push(`${where}: the response ${code} is new.`);
      }
    }
    if (responses[success] === undefined) {
      differences.push(`${where}: the response ${success} is gone.`);
    } else expectJob(`${where}, response ${success}`, contentOf(responses[success]));
  };

  const servers = listAt(objectAt(document), 'servers').map((server) => objectAt(server)['url']);
  if (!servers.includes(DEFAULT_BASE_URL)) {
    differences.push(`The servers do not include ${DEFAULT_BASE_URL}.`);
  }
  const schemes = Object.values(objectAt(document, 'components', 'securitySchemes')).map(resolved);
  if (!schemes.some(({ type, scheme }) => type === 'http' && scheme === 'bearer')) {
    differences.push('Bearer authentication is gone.');
  }
  for (const { method, path, parameters, success, ...rest } of OPERATIONS) {
    const where = `${method.toUpperCase()} ${path}`;
    const operation = objectAt(document, 'paths', path, method);
    if (Object.keys(operation).length === 0) {
      differences.push(`${where} is gone.`);
      continue;
    }
    if (operation['deprecated'] === true) differences.push(`${where} is deprecated.`);
    expectParameters(where, operation, parameters);
    if ('sends' in rest) expectBody(where, operation);
    expectResponses(where, operation, success);
  }
  return differences;
}

const [, script = '', file] = process.argv;
if (resolve(script) === import.meta.filename && file !== undefined) {
  const differences = contractDifferences(JSON.parse(readFileSync(file, 'utf8')));
  for (const difference of differences) {
    console.log(`::error title=Mintlify's agent API has changed::${difference}`);
  }
  console.log(`${differences.length} differences from what the action relies on.`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
