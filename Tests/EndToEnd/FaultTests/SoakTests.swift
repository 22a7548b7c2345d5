// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Tests that account for every byte of many sessions whose hosts and recoveries are killed at random.
@Suite(.serialized, .timeLimit(.minutes(600))) struct SoakTests {
  /// The number of sessions: `DARKROOM_SOAK`, or a number that fits the CI time limit.
  private static var sessions: Int { CurrentProcess.environment("DARKROOM_SOAK").flatMap { Int($0) } ?? 150 }

  @Test func `delivers, quarantines or erases every byte that random sessions wrote`() async throws {
    let count = Self.sessions
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(
        Self.script,
        [harness.programs, "\(harness.directory)/soak", "\(count)"],
        seconds: UInt64(600 + 2 * count)
      )
    }
    #expect(outcome.code == 0, "\(outcome.output)")
    print("soak: \(outcome.output.split(separator: "\n").last ?? "")")
  }

  /// Runs three hosts and one recovery loop, and kills each of them at random times.
  private static let script = """
    mkdir -p "$2/t"; p=$2; r=$2/t/root; w=$1/darkroom-store-worker; n=$3; MARK=$2/marks; export MARK
    "$w" "$r" prepare || exit 99
    : >"$p/marks-0"
    host() {
      while [ "$(cat "$p"/marks* | grep -hc '^strange')" -lt "$n" ]; do
        MARK="$p/marks-$1" timeout -s KILL "0.$(shuf -i 01-25 -n 1)" "$w" "$r" misbehave "$(shuf -i 1-2000000000 -n 1)" \
          >>"$p/said" 2>&1
        c=$?
        case $c in 0 | 1 | 137) ;; *) echo "a host ended with $c"; return 1 ;; esac
      done
    }
    for i in 1 2 3; do host $i & hosts="$hosts $!"; done
    while [ ! -e "$p/done" ]; do
      timeout -s KILL "0.$(shuf -i 01-40 -n 1)" "$w" "$r" recover >>"$p/said" 2>&1
      c=$?
      case $c in 0 | 137) ;; *) echo "recovery ended with $c"; tail -5 "$p/said" ;; esac
    done & loop=$!
    s=0
    for h in $hosts; do wait $h || s=1; done
    : >"$p/done"; wait $loop
    # timeout(1) kills itself along with its child, so no process has waited for the killed hosts, which need time to exit.
    # Recovery ignores sessions with a running host.
    k=0
    while pgrep -f "$w $r " >/dev/null && [ $k -lt 600 ]; do sleep 0.1; k=$((k + 1)); done
    pgrep -af "$w $r " && { echo "processes still run"; s=1; }
    cat "$p"/marks-* >"$MARK"
    "$w" "$r" recover || { echo "recovery failed"; s=1; }
    "$w" "$r" check || s=1
    "$w" "$r" account || s=1
    exit $s
    """
}
