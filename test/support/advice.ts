/** What a report says that a re-run does, for those who do just that. */
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
