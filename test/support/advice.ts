/** What a report says that a re-run does, for tests that follow its advice. */
export type Advice = 'asks' | 'follows' | 'sends' | 'something else' | 'nothing';

export function adviceIn(text: string): Advice {
  if (
    text.includes('press "Re-run failed jobs", and once more if the new attempt stops and asks')
  ) {
    return 'asks';
  }
  if (text.includes('press "Re-run failed jobs" to keep waiting for agent job')) return 'follows';
  const isSent = /To send (?:these changes|the prompt)(?: again)?, press "Re-run failed jobs"/;
  if (isSent.test(text) || text.includes('"Re-run failed jobs" again: that sends the prompt')) {
    return 'sends';
  }
  return text.includes('Re-run failed jobs') ? 'something else' : 'nothing';
}

/**
 * Returns the inputs of a new run that a text names, like `dryRun: false`. `before` is the commit
 * before the first change to send, in case the text mentions it.
 */
export function inputsNamedIn(text: string, before: string): Readonly<Record<string, string>> {
  const [, run = ''] =
    /start a new run with (.+?)(?: \(https:|, which|[;.](?:\s|$)|$)/i.exec(text) ?? [];
  const inputs: Record<string, string> = {};
  for (const [, name = '', value = ''] of run.matchAll(/`(\w+): ([^`]+)`/g)) inputs[name] = value;
  const [, named, first] =
    /`since` set to (?:`(\w+)`|(the commit before the first))/.exec(run) ?? [];
  if (named !== undefined) inputs['since'] = named;
  if (first !== undefined) inputs['since'] = before;
  return inputs;
}
