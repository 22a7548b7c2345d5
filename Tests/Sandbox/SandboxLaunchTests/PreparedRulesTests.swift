// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxEnforcement
import SandboxLaunch
import Testing

/// Landlock rules of a broker: rules for prepared items are added in advance, rules for the session's own
/// items at the launch.
@Suite struct PreparedRulesTests {
  /// `LANDLOCK_ACCESS_FS_EXECUTE`, `READ_FILE` and `READ_DIR`.
  private static let reading: UInt64 = 0b1101
  /// The rights of a file, which cannot have `READ_DIR`.
  private static let readingFiles: UInt64 = 0b0101
  /// `LANDLOCK_ACCESS_FS_WRITE_FILE`.
  private static let writing: UInt64 = 0b10
  /// `LANDLOCK_ACCESS_FS_MAKE_REG`.
  private static let making: UInt64 = 1 << 8

  /// Returns a ruleset that allows reading below the given paths, and everything in `session` and
  /// `container`.
  private static func ruleset(reading paths: [String]) -> LandlockRuleset {
    let all = reading | writing | making
    return LandlockRuleset(
      files: all,
      network: 0,
      scopes: 0,
      rules: paths.map { .init(path: $0, access: $0 == "/context" ? readingFiles : reading) } + [
        .init(path: "/session", access: all), .init(path: "/container", access: all),
      ]
    )
  }

  /// Accesses to prepared and session-specific items of each kind.
  private static let attempts = """
    try() { if eval "$2" 2>/container/why; then echo "$1 done"; else echo "$1 refused"; fi; }
    try session 'echo x > /session/made'
    try container 'echo x > /container/made'
    try home 'echo x > /container/home/made'
    try processes 'cat /proc/self/stat > /container/stat'
    try usr 'ls /usr > /container/list'
    try top 'ls / > /container/list'
    try device 'ls /dev > /container/list'
    try context 'cat /context > /container/copy'
    """

  /// Returns the results of the accesses.
  private static func outcomes(
    reading paths: [String],
    content: String,
    by launch: (LaunchPlan) throws -> SandboxedProcess
  ) throws -> [String] {
    let text = try LaunchBrokerTests.run(
      attempts,
      content: content,
      change: { $0.restrictions.landlock = ruleset(reading: paths) },
      by: launch
    )
    unlink("\(content)/made")
    return text.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: LandlockSupport.abi > 0, "this kernel has no Landlock"))
  func `a brokered session has the same Landlock rights as a direct one`() throws {
    try LaunchBrokerTests.withDirectory { content in
      #expect(chmod(content, 0o777) == 0)
      let broker = try LaunchBroker()
      for paths in [
        ["/usr", "/proc", "/dev", "/context"], ["/usr", "/proc"], ["/usr", "/dev", "/context"],
      ] {
        let direct = try Self.outcomes(
          reading: paths,
          content: content,
          by: { try SandboxLauncher.launch($0) }
        )
        #expect(
          direct.contains("usr done") && direct.contains("top refused") && direct.contains("session done")
        )
        #expect(direct.contains(paths.contains("/dev") ? "device done" : "device refused"))
        for _ in 0..<2 {
          let brokered = try LaunchBrokerTests.brokered(broker) {
            try Self.outcomes(reading: paths, content: content, by: broker.launch)
          }
          #expect(brokered == direct)
        }
      }
    }
  }
}
