// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// A state directory with a host, and a directory for bundles. The sessions run with the UID of the tests.
final class HostFixture: Sendable {
  /// The ID of the app in the bundles.
  static let app = "org.darkroom.sample"

  /// The host.
  let host: DarkroomHost
  private let scratch: ScratchDirectory

  /// Creates a host with a photo library that no test shares.
  init(_ change: (inout HostConfiguration) -> Void = { _ in }) throws {
    scratch = try ScratchDirectory()
    var configuration = HostConfiguration()
    (configuration.lockState, configuration.photoLibrary) = (.fixed(.unlocked), .none)
    change(&configuration)
    host = try DarkroomHost(stateDirectory: .path("\(scratch.path)/state"), configuration: configuration)
  }

  /// Returns the path of a file in the fixture's directory.
  func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  /// Creates a second host of the same state directory.
  func secondHost(_ change: (inout HostConfiguration) -> Void = { _ in }) throws -> DarkroomHost {
    var configuration = HostConfiguration()
    (configuration.lockState, configuration.photoLibrary) = (.fixed(.unlocked), .none)
    change(&configuration)
    return try DarkroomHost(stateDirectory: .path(host.statePath), configuration: configuration)
  }

  /// Installs the sample app with one example extension, whose program is a script in its folder or a built
  /// program at a path in the extension's directory. `members` are further members of the app's manifest, as
  /// JSON text that starts with a comma. Returns the ID of the extension.
  @discardableResult
  func install(_ name: String, program: String? = nil, members: String = "") async throws -> String {
    let bundle = file(name)
    let directory = "\(bundle)/Extensions/\(name)"
    let example = "\(PackageDirectory.path)/Plugins/\(name)"
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let copy =
      if let program {
        "install -D -m 0755 '\(built)/\(name)' '\(directory)/\(program)'"
      } else { "cp '\(example)'/*.sh '\(directory)/'" }
    // An app with a control names an extension that another bundle may lack.
    try runShell(
      """
      mkdir -p '\(directory)'
      cp '\(example)/extension.json' '\(directory)/'
      \(copy)
      cat >'\(bundle)/app.json' <<'END'
      {"id": "\(Self.app)", "name": "Sample", "usageDescriptions": {"camera": "The tests take pictures."}\(members)}
      END
      """
    )
    let app = try await host.apps.install(bundleAt: bundle).app
    return try #require(app.extensions.first).id
  }

  /// Returns the launch of a shell script as a program.
  func script(_ text: String) -> ProgramLaunchOptions {
    ProgramLaunchOptions("/bin/sh", ["-c", text], app: Self.app)
  }

  /// Waits until a session has written a file to its content directory.
  func awaitFile(_ name: String, of session: HostedSession) async throws {
    let path = "\(host.statePath)/sessions/\(session.id)/content/\(name)"
    let deadline = TestTimeout.deadline
    while try FileSystem.status(path) == nil {
      try #require(MonotonicClock.now < deadline, "\(name) was not written")
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension SessionEvents {
  /// Waits for the first event that a closure accepts.
  func first<Result>(_ accept: (SessionEvent) -> Result?) async throws -> Result {
    for await event in self {
      if let result = accept(event) { return result }
    }
    throw MissingEvent()
  }

  /// Waits until the extension accepts presses.
  func awaitPresses() async throws {
    try await first { if case .acceptsPresses(true) = $0 { () } else { nil } }
  }

  private struct MissingEvent: Error {}
}
