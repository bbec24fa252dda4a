/** What still runs this long after the report was written is not waited for, in ms. */
const EXIT_AFTER_MS = 200;

/**
 * Ends the process with the step's result soon, whatever still hangs. `process.exit` waits for
 * Node's thread pool, and so for a look-up in the system's resolver that hangs; a signal to oneself
 * does not, and its exit code is a failure as well.
 */
export function exit(isSuccess: boolean): void {
  process.exitCode = isSuccess ? 0 : 1;
  setTimeout(() => {
    const isLookingUp = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
    if (isLookingUp && !isSuccess) process.kill(process.pid, 'SIGKILL');
    else process.exit();
  }, EXIT_AFTER_MS).unref();
}

/**
 * Whether an error that nobody handled is one of a connection. Every request listens for the errors
 * of its own connection, so this one belongs to none that is still used.
 */
export function isStrayConnectionError(error: Error): boolean {
  const { syscall = '', code = '' } = error as NodeJS.ErrnoException;
  const isSystemCall = ['read', 'write', 'connect', 'shutdown'].includes(syscall);
  return isSystemCall || /^(EPROTO|ERR_SSL_|ERR_TLS_|ERR_SOCKET_|HPE_)/.test(code);
}
