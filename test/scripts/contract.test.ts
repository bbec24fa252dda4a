/** What a changed document of Mintlify's agent API says. */
import { expect, test } from 'vitest';
import { contractDifferences } from '../../.github/scripts/contract.ts';

const text = { type: 'string' };
const nullable = { type: 'string', nullable: true };
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: text });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const error = json({ $ref: '#/components/schemas/Error' });
const job = json({ $ref: '#/components/schemas/AgentJob' });
const body = () => ({
  required: true,
  ...json({
    type: 'object',
    required: ['prompt'],
    properties: { prompt: { ...text, minLength: 1 } },
  }),
});

/** A document that promises what the action relies on. Each test changes one of its own. */
const published = () => ({
  openapi: '3.0.1',
  servers: [{ url: 'https://api.mintlify.com' }],
  paths: {
    '/v2/agent/{projectId}/job': {
      post: {
        parameters: [parameter('projectId')],
        requestBody: body(),
        responses: { 201: job, 400: error, 429: error },
      },
    },
    '/v2/agent/{projectId}/job/{id}': {
      get: {
        parameters: [parameter('projectId'), parameter('id')],
        responses: { 200: job, 404: error },
      },
    },
    '/v2/agent/{projectId}/job/{id}/message': {
      post: {
        parameters: [parameter('projectId'), parameter('id')],
        requestBody: body(),
        responses: { 200: job, 400: error, 404: error, 429: error },
      },
    },
  },
  components: {
    schemas: {
      AgentJob: {
        type: 'object',
        properties: {
          id: text,
          status: { ...text, enum: ['active', 'completed', 'archived', 'failed'] },
          source: { type: 'object', properties: { repository: text, ref: nullable } },
          model: text,
          prLink: nullable,
          createdAt: text,
          archivedAt: nullable,
        },
      },
      Error: { type: 'object', properties: { error: text } },
    },
    securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
  },
});

/** A document as it may become: any part of it may be replaced. */
// biome-ignore lint/suspicious/noExplicitAny: paths into a document of any shape
type Document = any;

const CREATE = '/v2/agent/{projectId}/job';
const READ = '/v2/agent/{projectId}/job/{id}';

test.each<{ what: string; change: (document: Document) => void }>([
  { what: 'nothing', change: () => undefined },
  { what: 'another path', change: ({ paths }) => Object.assign(paths, { '/v3/x': { get: {} } }) },
  {
    what: 'a field of the agent job',
    change: ({ components }) => {
      components.schemas.AgentJob.properties.title = text;
    },
  },
  {
    what: 'an optional parameter and field of the request',
    change: ({ paths }) => {
      const { post } = paths[CREATE];
      post.parameters.push({ name: 'branch', in: 'query', schema: text });
      post.requestBody.content['application/json'].schema.properties.branch = text;
    },
  },
  {
    what: 'another error of the same shape',
    change: ({ paths }) => {
      paths[READ].get.responses[403] = error;
    },
  },
  {
    what: 'a schema that is written in place, by OpenAPI 3.1',
    change: ({ paths, components }) => {
      const { AgentJob } = components.schemas;
      const properties = { ...AgentJob.properties, prLink: { type: ['string', 'null'] } };
      paths[READ].get.responses[200] = json({ ...AgentJob, properties });
    },
  },
])('$what: no difference', ({ change }) => {
  const document = published();
  change(document);
  expect(contractDifferences(document)).toEqual([]);
});

test.each<{ says: readonly string[]; change: (document: Document) => void }>([
  {
    says: [`GET ${READ} is gone.`],
    change: ({ paths }) => {
      delete paths[READ];
    },
  },
  {
    says: [`POST ${CREATE} is deprecated.`],
    change: ({ paths }) => {
      paths[CREATE].post.deprecated = true;
    },
  },
  {
    says: [`POST ${CREATE}: the parameter \`Idempotency-Key\` is required.`],
    change: ({ paths }) => {
      paths[CREATE].post.parameters.push({
        ...{ name: 'Idempotency-Key', in: 'header', required: true },
      });
    },
  },
  {
    says: [`POST ${CREATE}: \`branch\` is required in the request.`],
    change: ({ paths }) => {
      const { schema } = paths[CREATE].post.requestBody.content['application/json'];
      schema.required.push('branch');
    },
  },
  {
    says: [`POST ${CREATE}, request: \`prompt\` is not a string.`],
    change: ({ paths }) => {
      const { schema } = paths[CREATE].post.requestBody.content['application/json'];
      schema.properties = { messages: { type: 'array' } };
    },
  },
  {
    says: [
      `POST ${CREATE}: \`prompt\` has a minimum of 10.`,
      `POST ${CREATE}: \`prompt\` has at most 4000 characters.`,
    ],
    change: ({ paths }) => {
      const { schema } = paths[CREATE].post.requestBody.content['application/json'];
      schema.properties.prompt = { ...text, minLength: 10, maxLength: 4_000 };
    },
  },
  {
    says: [`POST ${CREATE}: the response 202 is new.`, `POST ${CREATE}: the response 201 is gone.`],
    change: ({ paths }) => {
      const { 201: created, ...others } = paths[CREATE].post.responses;
      paths[CREATE].post.responses = { 202: created, ...others };
    },
  },
  {
    says: [`GET ${READ}, response 404: \`error\` is not a string.`],
    change: ({ paths }) => {
      const problem = { type: 'object', properties: { detail: text } };
      paths[READ].get.responses[404] = json(problem);
    },
  },
  {
    says: [
      `GET ${READ}, response 200: \`prLink\` is not a string.`,
      `GET ${READ}, response 200, \`source\`: \`ref\` is not a string.`,
    ],
    change: ({ paths, components }) => {
      const { properties } = structuredClone(components.schemas.AgentJob);
      const prLink = { type: 'array', items: text };
      const source = { type: 'object', properties: { repository: text } };
      paths[READ].get.responses[200] = json({ properties: { ...properties, prLink, source } });
    },
  },
  {
    says: [
      `GET ${READ}, response 200: the status \`queued\` is new.`,
      `GET ${READ}, response 200: the status \`archived\` is not listed.`,
    ],
    change: ({ paths, components }) => {
      const { properties } = structuredClone(components.schemas.AgentJob);
      const status = { ...text, enum: ['queued', 'active', 'completed', 'failed'] };
      paths[READ].get.responses[200] = json({ properties: { ...properties, status } });
    },
  },
  {
    says: [
      'The servers do not include https://api.mintlify.com.',
      'Bearer authentication is gone.',
    ],
    change: (document) => {
      document.servers = [{ url: 'https://api.mintlify.example' }];
      document.components.securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'key' } };
    },
  },
])('$says', ({ says, change }) => {
  const document = published();
  change(document);
  expect(contractDifferences(document)).toEqual(says);
});

test.each([undefined, null, [], 'Not found', {}, { paths: { [CREATE]: { post: null } } }])(
  '%j is no contract: the three operations are gone',
  (document) => {
    const gone = contractDifferences(document).filter((one) => /^[A-Z]+ .* is gone\.$/.test(one));
    expect(gone).toHaveLength(3);
  },
);
