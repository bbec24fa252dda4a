/**
 * What "Re-run failed jobs" will do: follow the agent job, send the prompt, stop and ask a person, or
 * `checks`: look whether the service knows the id in an unusable response, and follow or ask.
 */
export type Press = 'follows' | 'sends' | 'asks' | 'checks';
