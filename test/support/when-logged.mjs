// Loaded into the action by a test: imports another module as soon as a text was logged.
const { write } = process.stdout;
process.stdout.write = (text, ...rest) => {
  if (String(text).includes(process.env.TEST_WHEN_LOGGED)) {
    process.stdout.write = write;
    setImmediate(() => import(process.env.TEST_MODULE));
  }
  return write.call(process.stdout, text, ...rest);
};
