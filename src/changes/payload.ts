import * as z from 'zod/mini';
import { optionalField, optionalText as text } from '../lib/schema.ts';

const part = <T extends z.core.$ZodLooseShape>(fields: T) => optionalField(z.object(fields));
const flag = optionalField(z.boolean());
const branch = part({ ref: text, sha: text });

/**
 * The parts of the webhooks' payloads that say what happened, and where changes start. Any may be
 * missing.
 * https://docs.github.com/webhooks/webhook-events-and-payloads
 */
export const payloadSchema = z.catch(
  z.object({
    action: text,
    before: text,
    deleted: flag,
    schedule: text,
    repository: part({ default_branch: text }),
    release: part({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: part({
      number: optionalField(z.int().check(z.positive())),
      title: text,
      body: text,
      merged: flag,
      commits: optionalField(z.int().check(z.nonnegative())),
      user: part({ login: text }),
      head: branch,
      base: branch,
    }),
    merge_group: part({ head_ref: text, head_sha: text, base_ref: text, base_sha: text }),
  }),
  {},
);

export type Payload = z.infer<typeof payloadSchema>;
