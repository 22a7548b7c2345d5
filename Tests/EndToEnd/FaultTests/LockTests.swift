// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Tests of hosts and recovery processes that share a root and exclude each other by locks.
@Suite(.serialized, .timeLimit(.minutes(20))) struct LockTests {
  private static let prologue = """
    mkdir -p "$2/t"; p=$2; r=$2/t/root; w=$1/darkroom-store-worker; MARK=$2/marks; export MARK
    "$w" "$r" prepare || exit 99

    """

  /// Runs a script and expects no output. `$w` is the store worker, `$r` its root; the script prints each
  /// failure.
  private func expectNoOutput(_ script: String) async throws {
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(Self.prologue + script, [harness.programs, "\(harness.directory)/locks"])
    }
    #expect(outcome.output == "" && outcome.code == 0, "\(outcome.code): \(outcome.output)")
  }

  @Test func `recovery skips a live session, which its own host migrates`() async throws {
    try await expectNoOutput(
      """
      mkfifo "$p/end"
      "$w" "$r" hold full <"$p/end" >"$p/id" & host=$!
      exec 3>"$p/end"
      until [ -s "$p/id" ]; do sleep 0.02; done
      for i in 1 2 3 4 5 6 7 8 9 10; do "$w" "$r" recover || echo "recovery failed"; done
      id=$(cat "$p/id")
      [ -e "$r/sessions/$id/content/a.jpg" ] || echo "a live session was recovered"
      exec 3>&-
      wait $host || echo "the host failed"
      "$w" "$r" recover; "$w" "$r" check >"$p/check" || cat "$p/check"
      """
    )
  }

  @Test func `concurrent hosts and recoveries all succeed`() async throws {
    let count = isExhaustive ? 200 : 12
    try await expectNoOutput(
      """
      for i in 1 2 3 4; do
        { MARK="$p/marks-$i" "$w" "$r" sessions \(count) small || echo "a host failed"; } &
        hosts="$hosts $!"
      done
      for i in 1 2; do
        while [ ! -e "$p/done" ]; do "$w" "$r" recover || echo "recovery failed"; done & loops="$loops $!"
      done
      for h in $hosts; do wait $h; done
      : >"$p/done"
      for l in $loops; do wait $l; done
      cat "$p"/marks-* >"$MARK"
      [ "$(grep -c ended "$MARK")" = \(4 * count) ] || echo "not all have ended"
      "$w" "$r" recover; "$w" "$r" check >"$p/check" || cat "$p/check"
      """
    )
  }

  @Test func `releases the locks of a killed holder even if a child of the holder is alive`() async throws {
    try await expectNoOutput(
      """
      mkfifo "$p/end"
      "$w" "$r" hold small child <"$p/end" >"$p/id" & host=$!
      exec 3>"$p/end"
      until [ -s "$p/id" ] && [ "$(wc -l <"$p/id")" = 2 ]; do sleep 0.02; done
      child=$(sed -n 2p "$p/id")
      kill -KILL $host; wait $host 2>/dev/null
      kill -0 "$child" || echo "the child is gone: this shows nothing"
      # Nothing of the root is open in it.
      ls -l "/proc/$child/fd" | grep -F "$r"
      "$w" "$r" recover || echo "recovery failed"
      "$w" "$r" check >"$p/check" || cat "$p/check"
      kill "$child"
      """
    )
  }

  @Test func `concurrent recoveries finish each session once`() async throws {
    try await expectNoOutput(
      """
      for i in 1 2 3 4 5 6; do
        "$w" "$r" hold full </dev/zero >"$p/id" & host=$!
        until [ -s "$p/id" ]; do sleep 0.02; done
        kill -KILL $host; wait $host 2>/dev/null; rm "$p/id"
      done
      "$w" "$r" recover & one=$!
      "$w" "$r" recover & two=$!
      "$w" "$r" recover || echo "recovery failed"
      wait $one || echo "recovery failed"
      wait $two || echo "recovery failed"
      "$w" "$r" recover; "$w" "$r" check >"$p/check" || cat "$p/check"
      """
    )
  }
}
