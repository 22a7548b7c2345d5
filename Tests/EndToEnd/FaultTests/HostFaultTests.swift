// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Tests of the real host with a sandboxed extension while calls below the state root fail or kill the host.
@Suite(.serialized, .timeLimit(campaignTimeLimit)) struct HostFaultTests {
  @Test func `recovery completes what a host leaves that fails or dies at any call`()
    async throws
  {
    let result = try await runOnThread {
      let harness = try FaultHarness()
      var testedCalls = try Self.operationCalls(harness)
      let campaign = try HostCampaign(harness, .exec)
      return try campaign.run(FaultInjection.all(try campaign.points(), testedCalls: &testedCalls))
    }
    result.report()
  }

  @Test func `an installed extension's host dies at any call and leaves the old or the new app context`()
    async throws
  {
    let result = try await runOnThread {
      let harness = try FaultHarness()
      let other = Set(try HostCampaign(harness, .exec).points().map(\.normalizedCall))
      var testedCalls = try Self.operationCalls(harness).union(other)
      let campaign = try HostCampaign(harness, .run)
      return try campaign.run(
        FaultInjection.all(try campaign.points(), commonCalls: other, testedCalls: &testedCalls)
      )
    }
    result.report()
  }

  @Test(arguments: ["/journal.json.new.*", "/reserve-journal", "/sessions"])
  func `launches nothing if the journal cannot be made durable`(end: String) async throws {
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(
        Self.journalFailureScript,
        [harness.programs, "\(harness.directory)/unwritten", end]
      )
    }
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  /// Fails the first fsync(2) of a path with the given suffix. The journal is written concurrently with other
  /// work, so the number of the call varies.
  private static let journalFailureScript = """
    b=$1; p=$2; e=$3; s=0
    DARKROOM_JOURNAL=none; DARKROOM_CGROUP=none; export DARKROOM_JOURNAL DARKROOM_CGROUP
    mkdir -p "$p/t"
    host() {
      "$b/darkroom-faults" --under "$p/t" "$@" -- \
        "$b/darkroom" --root "$p/t/root" exec --app org.example.camera -- sh -c 'echo ran' >"$p/said" 2>&1
    }
    for i in 1 2 3; do
      # The first journal is a new file, and that of a later session that of the last but one.
      for j in 1 2; do host || { cat "$p/said"; exit 98; }; done
      [ "$e" = /reserve-journal ] || rm -r "$p/t/root/spare"
      host --first "fsync *$e" --do fail=EIO
      c=$?
      [ $c = 73 ] && grep -q 'fsync: Input/output error' "$p/said" || { echo "it ended with $c"; cat "$p/said"; s=1; }
      grep -qx ran "$p/said" && { echo "something ran"; s=1; }
      [ -z "$(ls "$p/t/root/sessions" "$p/t/root/trash" | grep -v ':$')" ] || { echo "something is left"; s=1; }
    done
    exit $s
    """

  /// Returns the calls that ``CallFaultTests`` covers.
  private static func operationCalls(_ harness: FaultHarness) throws -> Set<String> {
    try ["first-session", "full-session", "context-set"].reduce(into: []) { operationCalls, name in
      operationCalls.formUnion(
        try OperationCampaign(harness, try #require(StoreOperation.named(name))).points().map(
          \.normalizedCall
        )
      )
    }
  }

  @Test func `leaves no process, mount or partial content after random kills of hosts and extensions`()
    async throws
  {
    let count = isExhaustive ? 2000 : 24
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(
        Self.randomKillScript,
        [harness.programs, "\(harness.directory)/random", "\(count)"],
        seconds: UInt64(60 + 2 * count)
      )
    }
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  /// Runs sessions whose extensions misbehave, exit or crash under hosts that are killed at random. Delivered
  /// content must be what the extensions reported as written, or nothing.
  private static let randomKillScript = """
    mkdir -p "$2/t"; p=$2; b=$1; n=$3; s=0
    DARKROOM_JOURNAL=none; DARKROOM_CGROUP=none; DARKROOM_LIBRARY="$p/t/library"
    export DARKROOM_JOURNAL DARKROOM_CGROUP DARKROOM_LIBRARY
    one() {
      case $(($1 % 6)) in
        0) w='echo whole >/session/a.txt; kill -KILL $$' ;;
        1) w='echo whole >/session/a.txt; sleep 9 & kill -STOP $$' ;;
        2) w='ln -s /etc /session/l; mkfifo /session/p; echo whole >/session/a.txt; chmod 0 /session' ;;
        3) w='echo whole >/session/a.txt; (while :; do echo more >>/session/b.txt; done) & sleep 0.1' ;;
        4) w='mkdir -p /session/d/e; echo whole >/session/d/e/a.txt; kill -SEGV $$' ;;
        5) w='echo whole >/session/a.txt; sleep 0.05; echo whole >/session/c.txt' ;;
      esac
      timeout -s KILL "0.$(shuf -i 02-60 -n 1)" "$b/darkroom" --root "$p/t/root" exec --app org.example.camera \
        -- sh -c "$w" >>"$p/said" 2>&1
    }
    i=0
    while [ $i -lt "$n" ]; do one $i & one $((i + 1)) & wait; i=$((i + 2)); done
    # Who is killed takes a moment to be gone.
    k=0
    while pgrep -f "$p/t/root" >/dev/null && [ $k -lt 100 ]; do sleep 0.1; k=$((k + 1)); done
    pgrep -af "$p/t/root" && { echo "processes are left"; s=1; }
    "$b/darkroom" --root "$p/t/root" recover >>"$p/said" 2>&1 || { echo "recovery failed"; tail "$p/said"; s=1; }
    "$b/darkroom-store-worker" "$p/t/root" look || s=1
    grep -F "$p" /proc/self/mountinfo && { echo "a mount is left"; s=1; }
    find "$p/t/root/apps/org.example.camera/container/SessionContent" -name a.txt -size +0 | while read -r f; do
      [ "$(cat "$f")" = whole ] || echo "$f is not what was written"
    done >"$p/wrong"
    [ ! -s "$p/wrong" ] || { cat "$p/wrong"; s=1; }
    exit $s
    """
}
