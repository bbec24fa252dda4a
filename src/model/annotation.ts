/** A notice, warning or error of a workflow job, as written and as GitHub keeps it. */
export interface Annotation {
  readonly level: 'notice' | 'warning' | 'error';
  readonly title: string;
  /** Lines are separated by `\n`. */
  readonly message: string;
}
