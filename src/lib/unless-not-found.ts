import { isNotFound } from './errors.ts';

/**
 * What `read` gives, or `undefined` when GitHub responds with 404. It does so also when a
 * permission is missing. Where `probe` is given, the 404 counts only if `probe` succeeds, and is
 * thrown otherwise.
 */
export async function unlessNotFound<T>(
  read: () => Promise<T>,
  probe?: () => Promise<unknown>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await probe?.().catch(() => {
      throw error;
    });
    return undefined;
  }
}
