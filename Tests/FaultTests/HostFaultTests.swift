// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// The real host, with an extension in its sandbox, killed at its calls below the state root.
@Suite(.serialized, .timeLimit(longestWalk)) struct HostFaultTests {
  @Test func `a host that dies at any call leaves nothing that recovery does not finish`() async throws {
    let result = try await onThread {
      let bench = try FaultBench()
      let points = try Self.points(bench)
      let deaths = Injury.deaths(points)
      // The host has threads: the number of a call is not quite the same each time, and so none is taken for granted.
      let faults = try inPairs(deaths) { Self.fault(bench, $0) }.compactMap { $0 }
      return WalkResult(name: "host", count: deaths.count, faults: faults)
    }
    result.report()
  }

  @Test func `hosts and extensions that are killed at random leave nothing`() async throws {
    let count = triesEverything ? 2000 : 24
    let outcome = try await onThread {
      let bench = try FaultBench()
      return try bench.shell(
        Self.random,
        [bench.programs, "\(bench.directory)/random", "\(count)"],
        seconds: UInt64(60 + 2 * count)
      )
    }
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  /// Sessions whose extension misbehaves, ends by itself or is killed, under hosts that are killed at any moment. What
  /// is delivered in the end is what extensions have written before they said so, or nothing.
  private static let random = """
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

  /// What the extension does.
  private static let program = "mkdir /session/in; echo whole >/session/in/a.txt; echo said"

  /// A session of the host on a root that has had one before.
  private static let session = """
    session() { "$1/darkroom" --root "$p/t/root" exec --app org.example.camera -- sh -c '\(program)'; }
    DARKROOM_JOURNAL=none; DARKROOM_CGROUP=none; DARKROOM_LIBRARY="$p/t/library"
    export DARKROOM_JOURNAL DARKROOM_CGROUP DARKROOM_LIBRARY

    """

  private static func points(_ bench: FaultBench) throws -> [FaultPoint] {
    let outcome = try bench.shell(
      """
      p=$2; mkdir -p "$p/t"
      \(session)session "$1" >"$p/said" 2>&1 || { cat "$p/said"; exit 97; }
      cp -a "$p" "$p-points"; p=$p-points
      "$1/darkroom-faults" --under "$p/t" --report "$p/report" -- "$1/darkroom" --root "$p/t/root" \
        exec --app org.example.camera -- sh -c '\(program)' >"$p/said" 2>&1 || { cat "$p/said"; exit 98; }
      cat "$p/report"
      """,
      [bench.programs, "\(bench.directory)/host"]
    )
    try #require(outcome.code == 0, "\(outcome.output)")
    let place = "\(bench.directory)/host-points"
    return outcome.output.split(separator: "\n").compactMap(FaultPoint.init).map { point in
      let path = point.path.split(separator: place, omittingEmptySubsequences: false).joined()
      return FaultPoint(number: point.number, call: point.call, path: path)
    }
  }

  /// Kills the host at a point and recovers. Nil: all is right.
  private static func fault(_ bench: FaultBench, _ death: Injury) -> String? {
    let place = "\(bench.directory)/host-\(death.point.number)-\(death.action)"
    do {
      let outcome = try bench.shell(
        script,
        [bench.programs, "\(bench.directory)/host", place, "\(death.point.number)", death.action]
      )
      return outcome.code == 0
        ? nil
        : "host \(death.point.number) \(death.action) \(death.point.call) \(death.point.path)\n\(outcome.output)"
    } catch { return "\(error)" }
  }

  /// Everything that happens to one copy.
  private static let script = """
    cp -a "$2" "$3" || exit 99
    p=$3; b=$1; r=0
    \(session)"$b/darkroom-faults" --under "$p/t" --report "$p/report" --point "$4" --do "$5" -- \
      "$b/darkroom" --root "$p/t/root" exec --app org.example.camera -- sh -c '\(program)' >"$p/said" 2>&1
    c=$?
    # 125: processes were left after the host's death, or the injector has failed.
    case $c in 0 | 137) ;; *) echo "it ended with $c"; r=1 ;; esac
    grep -F "$p" /proc/self/mountinfo && { echo "a mount is left"; r=1; }
    "$b/darkroom" --root "$p/t/root" recover >>"$p/said" 2>&1 || { echo "recovery failed"; r=1; }
    "$b/darkroom-store-worker" "$p/t/root" look >"$p/check" 2>&1 || { cat "$p/check"; r=1; }
    for f in "$p"/t/root/apps/org.example.camera/container/SessionContent/*/in/a.txt; do
      cat "$f"
    done >"$p/contents"
    # The one before, and this one if its extension had ended, as the first step of its hand-over shows.
    n=$(grep -c whole "$p/contents"); m=$(wc -l <"$p/contents")
    if grep -q 'unlinkat .*/reserve' "$p/report"; then
      [ "$n" = 2 ] || { echo "$n sessions were delivered"; r=1; }
    fi
    [ "$n" = "$m" ] || { echo "something else was delivered:"; cat "$p/contents"; r=1; }
    if [ $r != 0 ]; then cat "$p/said"; tail -2 "$p/report"; fi
    chmod -R u+rwx "$p"; rm -rf "$p"
    exit $r
    """
}
