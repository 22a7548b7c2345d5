// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// A campaign that injects each fault into the real host, each time on a new copy of the same root.
struct HostCampaign: Sendable {
  private let harness: FaultHarness
  private let hostCommand: HostCommand
  /// The directory that is copied for each case.
  private let template: String

  /// Prepares a root with one completed session.
  init(_ harness: FaultHarness, _ hostCommand: HostCommand) throws {
    self.harness = harness
    self.hostCommand = hostCommand
    template = "\(harness.directory)/\(hostCommand.rawValue)"
    try hostCommand.writeBundle("\(template)-bundle")
    let outcome = try harness.shell(
      prologue + "mkdir -p \"$p/t\"; prepare >\"$p/said\" 2>&1 || { cat \"$p/said\"; exit 97; }",
      [harness.programs, template]
    )
    try #require(outcome.code == 0, "\(outcome.output)")
  }

  /// The beginning of each script. Arguments: the directory of the programs, the test directory.
  private var prologue: String {
    """
    b=$1; p=$2
    DARKROOM_JOURNAL=none; DARKROOM_CGROUP=none; DARKROOM_LIBRARY="$p/t/library"
    export DARKROOM_JOURNAL DARKROOM_CGROUP DARKROOM_LIBRARY
    \(hostCommand.shellFunctions)
    """
  }

  /// Returns the fault points that the host passes.
  func points() throws -> [FaultPoint] {
    let copy = "\(template)-points"
    defer { try? FileSystem.removeTree(copy) }
    let outcome = try harness.shell(
      prologue + """
        cp -a "$3" "$p" || exit 99
        host "$b/darkroom-faults" --under "$p/t" --report "$p/report" -- >"$p/said" 2>&1 \\
          || { cat "$p/said"; exit 98; }
        cat "$p/report"
        """,
      [harness.programs, copy, template]
    )
    try #require(outcome.code == 0, "\(outcome.output)")
    return outcome.output.split(separator: "\n").compactMap(FaultPoint.init).map { point in
      let path = point.path.split(separator: copy, omittingEmptySubsequences: false).joined()
      return FaultPoint(number: point.number, call: point.call, path: path)
    }
  }

  /// Injects all given faults.
  func run(_ injections: [FaultInjection]) throws -> CampaignResult {
    // The host is multithreaded, so the numbers of its calls vary between runs.
    let failures = try mapOnTwoThreads(injections) { failure($0) }.compactMap { $0 }
    return CampaignResult(
      name: "host of \(hostCommand.rawValue)",
      count: injections.count,
      failures: failures
    )
  }

  /// Injects a fault and runs the recovery. Returns a description of the failure, or `nil` if there is none.
  private func failure(_ injection: FaultInjection) -> String? {
    let point = injection.point
    let copy = "\(template)-\(point.number)-\(injection.action)"
    do {
      let outcome = try harness.shell(
        prologue + injectionScript + hostCommand.checkScript + epilogue,
        [harness.programs, copy, template, "\(point.number)", injection.action]
      )
      return outcome.code == 0
        ? nil
        : "\(hostCommand.rawValue) \(point.number) \(injection.action) \(point.call) \(point.path)\n\(outcome.output)exit \(outcome.code)"
    } catch { return "\(error)" }
  }

  /// Injects the fault into one copy and checks the result. `$a` is the action.
  ///
  /// Exit code 125: processes outlived the host, or the injector failed.
  private var injectionScript: String {
    """
    cp -a "$3" "$p" || exit 99
    a=$5; r=0
    host "$b/darkroom-faults" --under "$p/t" --report "$p/report" --point "$4" --do "$a" -- >"$p/said" 2>&1
    c=$?
    case $a:$c in
      *:0 | kill*:137) ;;
      kill*) echo "it ended with $c"; r=1 ;;
      *:71 | *:73 | *:126) grep -q '^darkroom: ' "$p/said" || { echo "it did not say why"; r=1; } ;;
      *) echo "it ended with $c"; r=1 ;;
    esac
    grep -F "$p" /proc/self/mountinfo && { echo "a mount is left"; r=1; }
    "$b/darkroom" --root "$p/t/root" recover >>"$p/said" 2>&1 || { echo "recovery failed"; r=1; }
    "$b/darkroom-store-worker" "$p/t/root" look >"$p/check" 2>&1 || { cat "$p/check"; r=1; }
    app=$p/t/root/apps/org.example.camera
    for f in "$app"/container/SessionContent/*/in/a.txt; do
      cat "$f"
    done >"$p/contents"
    n=$(grep -c whole "$p/contents"); m=$(wc -l <"$p/contents")
    [ "$n" = "$m" ] || { echo "something else was delivered:"; cat "$p/contents"; r=1; }
    # What the system refuses to make ordinary waits in quarantine, and is named.
    case $a in
      *=EACCES | *=EPERM)
        if grep -q '^darkroom: quarantined: in' "$p/said"; then
          n=$((n + $(find "$app"/quarantine/*/items -type f -exec cat {} + | grep -c whole)))
        fi ;;
    esac
    # Content of the session before must exist. Content of this session must exist if the extension reported the write, or
    # has exited, which the first step of the migration shows.
    grep -q '^said$' "$p/said" && is=written || is=unknown
    case $a in kill*) grep -q '\(hostCommand.firstMigrationCall) .*/sessions/.*/library' "$p/report" && is=written ;; esac
    case $is:$c:$n in
      written:*:2 | unknown:0:2 | unknown:[1-9]*:[12]) ;;
      *) echo "$n sessions were delivered"; r=1 ;;
    esac

    """
  }

  private let epilogue = """
    "$b/darkroom" --root "$p/t/root" recover 2>&1 | grep -q '^there is nothing to recover' \
      || { echo "something was left to recover"; r=1; }
    if [ $r != 0 ]; then cat "$p/said"; tail -2 "$p/report"; fi
    chmod -R u+rwx "$p"; rm -rf "$p"
    exit $r
    """
}
