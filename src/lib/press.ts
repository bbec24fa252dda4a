/** What "Re-run failed jobs" will do: follow the agent job, send the prompt, or stop and ask a person. */
export type Press = 'follows' | 'sends' | 'asks';
