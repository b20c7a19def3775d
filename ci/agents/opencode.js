// Copy to .opencode/plugins/oraclekeep.js: a call that throws is not made, and the agent reads why.
const WRITES = new Set(["write", "edit", "patch", "multiedit", "apply_patch"]);

export const Oraclekeep = async ({ $, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    if (!WRITES.has(input.tool)) return;
    const call = new Response(JSON.stringify({ args: output.args }));
    const done = await $`oraclekeep writeset --hook < ${call}`.cwd(worktree).quiet().nothrow();
    if (done.exitCode !== 0) throw new Error(done.stdout.toString() + done.stderr.toString());
  },
});
