/** The world outside the runs: chance, time, what there is to document, the ledger, and Mintlify. */
import type { Sent } from '../../../src/agent/agent.ts';
import type { AgentJob } from '../../../src/agent/job.ts';
import type { Snapshot } from '../../../src/ledger/outside.ts';
import { type Call, EMPTY, hasEnded } from '../../../src/ledger/state.ts';

/** What a history is about, and the percentages of what goes wrong in it: nothing if it is calm. */
function choose(random: () => number, isCalm: boolean) {
  const sometimes = (percent: number, value: number) =>
    !isCalm && random() * 100 < percent ? value : 0;
  const kind = random() * 100;
  const wait = isCalm || random() < 0.85;
  const append = wait && random() < 0.3;
  const scope = kind < 70 ? 'heads' : kind < 80 ? 'pull' : append ? 'tags' : 'tag';
  return {
    scope,
    wait,
    append,
    /** Runners that die after an effect. */
    kills: sometimes(60, 3),
    /** Runners that freeze for minutes after an effect. */
    freezes: sometimes(20, 2),
    /** Calls that are refused, and as many lost responses. Three times as many agents fail. */
    faults: sometimes(70, 6),
    /** Pushes whose response is lost. */
    lostPushes: sometimes(40, 5),
    /** Agent jobs that take hours or for ever, and as many that are gone later. */
    lostJobs: sometimes(20, 10),
    forcePushes: scope === 'heads' || scope === 'pull' ? sometimes(25, 25) : 0,
    typedSince: scope === 'heads' ? sometimes(30, 30) : 0,
  } as const;
}

/** A create or message call that Mintlify took. */
export interface Prompt {
  /** The changes that it is about. */
  readonly range: number;
  readonly isTyped: boolean;
  /** Its run warned that an earlier call is in doubt. */
  readonly isWarned: boolean;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly result: 'completed' | 'archived' | 'failed';
  readonly isMessage: boolean;
  readonly job: Job;
  /** A run saw its agent job active for over two hours, or 404. */
  isGivenUp: boolean;
}

interface Job {
  readonly id: string;
  prompts: Prompt[];
  /** It got a message before a run saw the end of the one before, which nobody sees then. */
  isShared: boolean;
  readonly goneAt: number;
  /** Of its docs pull request. */
  readonly mergedAt: number;
}

/**
 * Times are in minutes. Whatever can be sent is a change, and has a number: a commit (of a pull
 * request, its state), a release, a prompt alone. Sets of changes are bit masks.
 */
export class World {
  readonly choices: ReturnType<typeof choose>;
  readonly random: () => number;
  minutes = 0;
  /** Nothing goes wrong any more. */
  isQuiet = false;
  readonly #agenda: { readonly at: number; readonly happen: () => void }[] = [];

  /** Of each change: itself, and on a branch also its ancestors. */
  readonly #ancestors: number[] = [0];
  /** Changes that need no documentation. */
  needless = 0;
  /** The newest commit. */
  tip: number;

  /** By name: each tag has one of its own, unless they append. */
  readonly ledgers = new Map<string, Snapshot>();
  /** The change that each tag is at now. */
  readonly tags = new Map<number, number>();
  readonly prompts: Prompt[] = [];
  readonly #jobs = new Map<string, Job>();

  /** Everything up to here is before the first run that reached the ledger. */
  beginning = 0;
  /** Everything up to here is done, as a typed `since` said. */
  typed = 0;
  /** Runs that died, froze or lost a response, so that others may say that their call is in doubt. */
  readonly doubtful = new Set<number>();
  /** Runs of which others said so without a reason. */
  readonly falseDoubts: number[] = [];
  /** How runs ended, and what has to be documented by then. */
  readonly ends: { readonly end: string; readonly owed: number; readonly at: number }[] = [];

  constructor(seed: number, isCalm: boolean) {
    this.random = mulberry32(seed);
    this.choices = choose(this.random, isCalm);
    this.tip = this.add();
  }

  chance(percent: number): boolean {
    return this.random() * 100 < percent && !this.isQuiet;
  }

  later(minutes: number, happen: () => void): void {
    this.#agenda.push({ at: this.minutes + minutes, happen });
  }

  /** Lets what is next happen. Returns whether there was anything. */
  async step(): Promise<boolean> {
    this.#agenda.sort((a, b) => b.at - a.at);
    const next = this.#agenda.pop();
    this.minutes = next?.at ?? this.minutes;
    next?.happen();
    // Until every run waits for what is on the agenda.
    await new Promise((resolve) => setImmediate(resolve));
    return next !== undefined;
  }

  ledger(name: string): Snapshot {
    return this.ledgers.get(name) ?? { tip: undefined, state: EMPTY, branchTip: undefined };
  }

  /** Adds a change. */
  add(...parents: readonly number[]): number {
    const id = this.changes;
    this.#ancestors.push(parents.reduce((mask, parent) => mask | this.ancestors(parent), 1 << id));
    if (parents.length > 0 && this.chance(10)) this.needless |= 1 << id;
    return id;
  }

  /** Their number, up to which there is a bit for each. */
  get changes(): number {
    return this.#ancestors.length;
  }

  ancestors(change: number | undefined): number {
    return this.#ancestors[change ?? 0] ?? 0;
  }

  /** Whether a change is another one, or an ancestor of it. */
  isBehind(change: number, other: number): boolean {
    return ((this.ancestors(other) >> change) & 1) === 1;
  }

  /** Mintlify gets a call, for a new agent job or for one that it has. */
  post(about: Pick<Prompt, 'range' | 'isTyped' | 'isWarned'>, into: string | undefined): Sent {
    const { minutes, random, choices } = this;
    const lost = { kind: 'in-doubt', said: '', jobId: undefined } as const;
    const job = into === undefined ? undefined : this.#jobs.get(into);
    if (job !== undefined && minutes >= job.goneAt) return { ...REFUSED, takesNoMessage: true };
    if (this.chance(choices.faults))
      return { ...REFUSED, takesNoMessage: job !== undefined && random() < 0.5 };
    const isLost = this.chance(choices.faults);
    if (isLost && random() < 0.5) return lost;

    const never = Number.POSITIVE_INFINITY;
    const hours = random() < 0.5 ? never : 100 + random() * 100;
    const takes = this.chance(choices.lostJobs) ? hours : 2 + random() * 40;
    const success = this.chance(10) ? 'archived' : 'completed';
    const prompt: Prompt = {
      ...about,
      createdAt: minutes,
      endsAt: minutes + takes,
      result: this.chance(3 * choices.faults) ? 'failed' : success,
      isMessage: job !== undefined,
      job: job ?? {
        id: `j${this.#jobs.size + 1}`,
        prompts: [],
        isShared: false,
        goneAt: this.chance(choices.lostJobs) ? minutes + random() * 200 : never,
        mergedAt: this.chance(70) ? minutes + takes + random() * random() * 200 : never,
      },
      isGivenUp: false,
    };
    prompt.job.isShared ||= this.#openCalls(prompt.job.id) > 1;
    // A message sets an agent to work that would have worked for ever.
    prompt.job.prompts = [...prompt.job.prompts.filter(({ endsAt }) => endsAt < never), prompt];
    this.#jobs.set(prompt.job.id, prompt.job);
    this.prompts.push(prompt);
    return isLost ? lost : { kind: 'accepted', job: shown(prompt.job, 'active') };
  }

  /** How many calls of the ledger about an agent job are open. */
  #openCalls(id: string): number {
    const isAbout = ({ job, messageTo }: Call) => job === id || messageTo === `https://x/${id}`;
    const calls = [...this.ledgers.values()].flatMap(({ state }) => state.runs);
    return calls.filter((call) => !hasEnded(call) && isAbout(call)).length;
  }

  /** One read of an agent job. `undefined` is 404. */
  read(id: string): AgentJob | undefined {
    const job = this.#jobs.get(id);
    const last = job?.prompts.at(-1);
    if (job === undefined || last === undefined) throw new Error(`no agent job ${id}`);
    // Just after a message, the agent job still reads as before.
    const isOld = last.isMessage && this.minutes < last.createdAt + 0.3;
    const prompts = isOld ? job.prompts.slice(0, -1) : job.prompts;
    const at = isOld ? last.createdAt : this.minutes;
    const active = prompts.filter(({ endsAt }) => endsAt > at);
    const isGone = this.minutes >= job.goneAt;
    if (isGone || active.some(({ createdAt }) => this.minutes > createdAt + 120))
      for (const prompt of job.prompts) prompt.isGivenUp = true;
    if (isGone) return undefined;
    return shown(job, active.length > 0 ? 'active' : (prompts.at(-1)?.result ?? 'failed'));
  }

  docsPullState(link: string): 'open' | 'merged' {
    const job = this.#jobs.get(link.replace('https://x/', ''));
    return job !== undefined && job.mergedAt > this.minutes ? 'open' : 'merged';
  }
}

const REFUSED = { kind: 'refused', topic: 'service', said: '' } as const;

const shown = ({ id }: Job, status: string): AgentJob => ({
  id,
  status,
  prLink: status === 'completed' || status === 'archived' ? `https://x/${id}` : '',
  repository: '',
  ref: '',
  json: '',
});

/** Small, fast, and the same everywhere. */
function mulberry32(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
