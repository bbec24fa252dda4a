/** The fields of an event's payload that the action reads. */
import * as z from 'zod/mini';

/** A field that is `undefined` when it is missing, null, or of another type. */
const optional = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
const part = <T extends z.core.$ZodLooseShape>(fields: T) => optional(z.object(fields));
const text = optional(z.string());
const flag = optional(z.boolean());
const branch = part({ ref: text, sha: text, repo: part({ full_name: text }) });

/** Any part may be missing. https://docs.github.com/webhooks/webhook-events-and-payloads */
export const payloadSchema = z.catch(
  z.object({
    action: text,
    before: text,
    // Oldest first.
    commits: optional(z.array(z.object({ id: z.string() }))),
    deleted: flag,
    schedule: text,
    repository: part({ default_branch: text, fork: flag }),
    release: part({ tag_name: text, name: text, body: text, prerelease: flag }),
    pull_request: part({
      number: optional(z.int().check(z.positive())),
      title: text,
      body: text,
      merged: flag,
      user: part({ login: text, type: text }),
      labels: optional(z.array(z.object({ name: z.string() }))),
      head: branch,
      base: branch,
    }),
    merge_group: part({ head_ref: text, head_sha: text, base_ref: text, base_sha: text }),
  }),
  {},
);

export type Payload = z.infer<typeof payloadSchema>;

/**
 * Whether the event is about a pull request from another repository, which may have been deleted.
 */
export function isOfFork({ pull_request: pull }: Payload): boolean {
  const own = pull?.base?.repo?.full_name;
  return own !== undefined && pull?.head?.repo?.full_name !== own;
}
