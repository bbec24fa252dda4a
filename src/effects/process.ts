/** The process ends this long after the report was written, whatever is still running, in ms. */
const EXIT_AFTER_MS = 200;

/**
 * Ends the process soon with the step's result, even if something still hangs. `process.exit` waits
 * for Node's thread pool, and with it for a DNS lookup that hangs in the system's resolver. A
 * signal to the process itself does not wait, and its exit code also means failure.
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
 * Whether an uncaught error is one of a connection. Every request handles the errors of its own
 * connection, so this one belongs to a connection that is no longer used.
 */
export function isStrayConnectionError(error: Error): boolean {
  const { syscall = '', code = '' } = error as NodeJS.ErrnoException;
  const isSystemCall = ['read', 'write', 'connect', 'shutdown'].includes(syscall);
  return isSystemCall || /^(EPROTO|ERR_SSL_|ERR_TLS_|ERR_SOCKET_|HPE_)/.test(code);
}
