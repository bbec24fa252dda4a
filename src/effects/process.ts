/** How long after the report the process ends, in ms, even if something still runs. */
const EXIT_AFTER_MS = 200;

/**
 * Ends the process shortly with the step's result, even if something hangs. `process.exit` waits
 * for Node's thread pool, and thus for a hanging DNS lookup in the system's resolver. A signal to
 * the process itself doesn't wait, and its exit code also means failure.
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
 * Whether an uncaught error comes from a connection. Every request handles the errors of its own
 * connection, so this connection is no longer in use.
 */
export function isStrayConnectionError(error: Error): boolean {
  const { syscall = '', code = '' } = error as NodeJS.ErrnoException;
  const isSystemCall = ['read', 'write', 'connect', 'shutdown'].includes(syscall);
  return isSystemCall || /^(EPROTO|ERR_SSL_|ERR_TLS_|ERR_SOCKET_|HPE_)/.test(code);
}
