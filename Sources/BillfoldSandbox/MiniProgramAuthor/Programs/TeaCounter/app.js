// What all pages share: who is signed in at our server. It ends with the run.
App({
  session: undefined
});
