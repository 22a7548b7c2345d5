// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the diagnosis of the machine, of the lock, and of bound keys.
@Suite(.timeLimit(.minutes(20))) struct MachineTests {
  @Test func `examines the machine, each shipped policy and further policies`() async throws {
    let fixture = try HostFixture()
    try FileSystem.replaceContents(
      fixture.file("mine.json"),
      with: Array(#"{"name": "mine", "extends": "strict"}"#.utf8)
    )
    let mine = try CapturePolicy(fixture.file("mine.json"))
    let report = try await fixture.host.diagnose(with: [mine])
    #expect(report.policies.map(\.name) == CapturePolicy.shippedNames + ["mine"])
    let names = report.properties.map(\.name)
    #expect(Set(names).isSuperset(of: ["kernel", "state root", "libraries", "server"]), "\(names)")
    for policy in report.policies {
      #expect(!policy.layers.isEmpty && policy.status != .unavailable, "\(policy)")
      // Each layer that is not enforced has a reason.
      #expect(policy.layers.allSatisfy { $0.state == "enforced" || !$0.detail.isEmpty }, "\(policy)")
    }
    #expect(report.properties.allSatisfy { $0.state == .present || !$0.detail.isEmpty })
  }

  @Test func `locks, and unlocks after an authentication by the embedding program`() async throws {
    let fixture = try HostFixture {
      ($0.lockState, $0.authenticator) = (.standard, .service(OneAnswer(.succeeded)))
    }
    let lock = fixture.host.lock
    #expect(try await lock.status().state == .unlocked)
    try await lock.lock()
    let locked = try await lock.status()
    #expect(locked.state == .locked && locked.reports.count == 1)
    #expect(locked.reports.first?.reason.contains("contains 'locked'") == true)
    // Another host of the state directory follows the lock, and has no authenticator.
    let other = try fixture.secondHost { ($0.lockState, $0.authenticator) = (.standard, .none) }
    let refused = try await other.lock.unlock()
    guard case .unavailable = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(try await other.lock.status().state == .locked)
    #expect(try await lock.unlock() == .succeeded)
    let unlocked = try await lock.status()
    #expect(unlocked.state == .unlocked && unlocked.wasUnlocked)
  }

  @Test func `stays locked if the authentication fails or is cancelled`() async throws {
    let fixture = try HostFixture {
      ($0.lockState, $0.authenticator) = (.standard, .service(OneAnswer(.failed)))
    }
    try await fixture.host.lock.lock()
    #expect(try await fixture.host.lock.unlock() == .failed)
    let waiting = try fixture.secondHost {
      ($0.lockState, $0.authenticator) = (.standard, .service(OneAnswer(nil)))
    }
    let task = Task { try await waiting.lock.unlock() }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    #expect(try await task.value == .cancelled)
    #expect(try await fixture.host.lock.status().state == .locked)
  }

  @Test func `stores the sources of the lock state and the authentication method`() async throws {
    let fixture = try HostFixture { $0.lockState = .standard }
    let lock = fixture.host.lock
    #expect(try await lock.settings() == LockSettings())
    var settings = LockSettings()
    settings.sources = [.file(fixture.file("lock"))]
    settings.method = .command(["/bin/true", "now"], variables: ["HOME"])
    settings.timeLimit = .seconds(5)
    try await lock.set(settings)
    #expect(try await lock.settings() == settings)
    // The file does not exist, so the state is unknown and counts as locked.
    let status = try await lock.status()
    #expect(status.state == .locked && status.reports.count == 2)
    try FileSystem.replaceContents(fixture.file("lock"), with: Array("unlocked\n".utf8), mode: 0o600)
    #expect(try await lock.status().state == .unlocked)
    settings.sources += [.ownSession, .session("c1"), .seat("seat0")]
    settings.method = .pam(service: "login", directory: "/etc/pam.d")
    try await lock.set(settings)
    #expect(try await lock.settings() == settings)
  }

  /// Changes after which lock settings are invalid.
  private static let invalidChanges: [@Sendable (inout LockSettings) -> Void] = [
    { $0.sources = [.file("state")] },
    { $0.sources = [.seat("")] },
    { $0.timeLimit = .zero },
    { $0.timeLimit = .milliseconds(1500) },
    { $0.timeLimit = .seconds(3601) },
    { $0.method = .pam(service: "../login", directory: nil) },
    { $0.method = .command([], variables: []) },
    { $0.method = .command(["true"], variables: []) },
  ]

  @Test(arguments: invalidChanges.indices)
  func `rejects invalid lock settings and keeps the previous ones`(
    number: Int
  ) async throws {
    let fixture = try HostFixture()
    var settings = LockSettings()
    Self.invalidChanges[number](&settings)
    let invalid = settings
    await #expect {
      try await fixture.host.lock.set(invalid)
    } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    #expect(try await fixture.host.lock.settings() == LockSettings())
  }

  @Test func `listens for bound keys until the task is cancelled`() async throws {
    let fixture = try HostFixture()
    let (notices, continuation) = AsyncStream<String>.makeStream()
    let host = fixture.host
    let task = Task {
      try await host.listenForKeys(notice: { continuation.yield($0) }) { Issue.record("\($0)") }
    }
    let first = await notices.first { _ in true }
    #expect(first?.hasPrefix("no key is bound") == true)
    task.cancel()
    try await task.value
  }

  @Test func `rejects key devices that do not exist or are not input devices`() async throws {
    let fixture = try HostFixture()
    try await fixture.install(
      "Notes",
      members: #"""
        , "controls": [{"id": "note", "title": "Note", "extension": "org.darkroom.sample.notes"}]
        """#
    )
    try await fixture.host.keyBindings.bind("KEY_CAMERA", to: "note", of: HostFixture.app)
    for path in [fixture.file("none"), "/dev/null", ""] {
      await #expect("\(path)") {
        try await fixture.host.listenForKeys(of: .paths([path])) { _ in }
      } throws: { error in
        if case .argument = error as? HostError { true } else { false }
      }
    }
    // The keys of a session are opened before the launch.
    var options = LaunchOptions()
    options.keys = .paths(["/dev/null"])
    let launch = options
    await #expect {
      try await fixture.host.launch("org.darkroom.sample.notes", launch)
    } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
  }
}

/// An authenticator that returns one result, or waits until the authentication is cancelled.
private struct OneAnswer: Authenticator {
  private let result: UserAuthenticationResult?

  /// Creates an authenticator. With `nil`, the user does not answer.
  init(_ result: UserAuthenticationResult?) { self.result = result }

  func authenticate(reason: String) async -> UserAuthenticationResult {
    if let result { return result }
    try? await Task.sleep(for: .seconds(600))
    return .cancelled
  }
}
