// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch

/// Launches of a program in namespaces, without sessions around them.
enum RepeatedLaunches {
  /// Launches a program `count` times, and throws an error if the number of open descriptors has changed.
  static func run(_ count: Int) throws {
    // The first launch opens descriptors for all later ones.
    try launch()
    let before = try FileSystem.names(in: "/proc/self/fd").count
    for _ in 0..<count { try launch() }
    let after = try FileSystem.names(in: "/proc/self/fd").count
    guard after == before else {
      throw SessionLoop.UnexpectedOutcome(outcome: "\(before) descriptors, \(after) after \(count) launches")
    }
  }

  private static func launch() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    let process = try SandboxLauncher.launch(plan(output: null.rawValue))
    guard case .exited(0) = try process.reap().status else {
      throw SessionLoop.UnexpectedOutcome(outcome: "the program failed")
    }
  }

  private static func plan(output: Int32) -> LaunchPlan {
    let isRoot = CurrentProcess.effectiveUserID == 0
    return LaunchPlan(
      identity: isRoot ? .other(user: 1_879_048_192, group: 1_879_048_192) : .caller,
      isolation: .init(namespaces: .all, hostname: "darkroom"),
      files: .init([
        .directory("usr"), .bind(source: "/usr", target: "usr", [.readOnly, .noSetUserID, .noDevices]),
        .symbolicLink("lib", to: "usr/lib"), .symbolicLink("lib64", to: "usr/lib64"),
      ]),
      descriptors: [output, output, output],
      limits: .init([.init(.descriptors, 256)]),
      restrictions: .init(landlock: nil, filter: [], refusals: .silent, lastCapability: 40),
      program: .init("/usr/bin/true", ["true"], environment: [], workingDirectory: "/")
    )
  }
}
