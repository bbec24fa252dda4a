import * as z from 'zod/mini';

/** A field of data from outside. It is `undefined` when it is missing, null or of another type. */
export const optionalField = <T extends z.ZodMiniType>(schema: T) =>
  z.catch(z.optional(schema), undefined);

export const optionalText = optionalField(z.string());
