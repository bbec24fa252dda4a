import * as z from 'zod/mini';
import { optionalField, optionalText } from '../lib/schema.ts';

const flag = optionalField(z.boolean());
const branch = optionalField(z.object({ ref: optionalText, sha: optionalText }));

/**
 * The parts of the webhooks' payloads that say what happened, and where changes start. Any may be
 * missing.
 * https://docs.github.com/webhooks/webhook-events-and-payloads
 */
export const payloadSchema = z.catch(
  z.object({
    action: optionalText,
    before: optionalText,
    deleted: flag,
    schedule: optionalText,
    repository: optionalField(z.object({ default_branch: optionalText })),
    release: optionalField(
      z.object({
        tag_name: optionalText,
        name: optionalText,
        body: optionalText,
        prerelease: flag,
      }),
    ),
    pull_request: optionalField(
      z.object({
        number: optionalField(z.int().check(z.positive())),
        title: optionalText,
        body: optionalText,
        merged: flag,
        commits: optionalField(z.int().check(z.nonnegative())),
        user: optionalField(z.object({ login: optionalText })),
        head: branch,
        base: branch,
      }),
    ),
    merge_group: optionalField(
      z.object({
        head_ref: optionalText,
        head_sha: optionalText,
        base_ref: optionalText,
        base_sha: optionalText,
      }),
    ),
  }),
  {},
);

export type Payload = z.infer<typeof payloadSchema>;
