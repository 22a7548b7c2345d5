// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Power failures while the `darkroom` command runs sandboxed sessions.
@Suite(.waiting) struct CommandPowerTests {
  /// Recovers, and checks that acknowledged content is present once, that nothing is left over, and that the
  /// log is valid.
  private static let check = """
    root=$DISK/root
    fail() { echo "$1"; exit 1; }
    "$PROGRAMS/darkroom" recover --root "$root" >/dev/null || fail "recover ended with $?"
    "$PROGRAMS/darkroom" logs verify --root "$root" >/dev/null || fail "logs verify ended with $?"
    for number in $(cat "$ACKS"); do
      count=$(grep -rlx "text-$number" "$root/apps/org.example.power/container/SessionContent" | wc -l)
      [ "$count" = 1 ] || fail "$number is there $count times"
    done
    left=$(find "$root/sessions" "$root/trash" -mindepth 1)
    [ -z "$left" ] || fail "left over: $left"
    """

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `session content is in the app container once the exec command has exited`(_ format: DiskFormat) throws
  {
    let rig = try PowerRig()
    try FileSystem.open("\(rig.directory)/check.sh", [.write, .create]).writeAll(Array(Self.check.utf8))
    let exec = "$PROGRAMS/darkroom --root $DISK/root exec --app org.example.power --"
    let result = try rig.run(
      "powerfail.py",
      [
        "--file-system \(format)", "--failures \(format.share(of: PowerRig.failures / 4))",
        "--prepare '\(exec) true'",
        "--workload 'for n in 1 2 3; do \(exec) sh -c \"echo text-$n >/session/f\" && echo $n >$MARK; done'",
        "--check 'sh $PLACE/check.sh'",
      ]
    )
    guard let result else { return }
    #expect(result.findings == 0, "\(result.text)")
  }
}
