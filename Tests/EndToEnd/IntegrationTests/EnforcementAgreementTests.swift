// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SandboxPolicy
import TestSupport
import Testing

/// Tests that the doctor, the audit report and the session record report the same state of each layer.
@Suite(.timeLimit(.minutes(20)), .waiting) struct EnforcementAgreementTests {
  /// The policy of the app.
  private static let policy =
    """
    {"name": "own", "extends": "capture", "bestEffort": ["timeNamespace", "userNamespace"],
     "acceptSingleMechanism": ["udp", "otherSockets", "groupContainers"]}
    """
  /// The policy for a machine without Landlock.
  private static let withoutLandlock =
    #"{"name": "own", "extends": "capture", "bestEffort": ["timeNamespace", "landlock"]}"#
  /// The ID of the extension.
  private static let captureExtension = "org.example.layers.capture"

  /// Returns the state of each layer in a document, by name.
  private func states(_ layers: JSONValue?) throws -> [String: String] {
    var states: [String: String] = [:]
    for layer in try #require(layers?.elements) {
      let name = try #require(layer["name"]?.string)
      #expect(states.updateValue(try #require(layer["state"]?.string), forKey: name) == nil, "\(name) twice")
    }
    return states
  }

  /// Runs a session, the doctor and the audit under one policy, and returns the states of the layers.
  private func agreedStates(_ home: TestHome, _ policy: String) throws -> [String: String] {
    for directory in ["Layers", "Layers/Extensions", "Layers/Extensions/Capture"] {
      try FileSystem.makeDirectories(home.file(directory))
      try home.giveOwnership(home.file(directory))
    }
    try home.write("Layers/app.json", #"{ "id": "org.example.layers", "name": "Layers" }"#)
    let bundle = "Layers/Extensions/Capture"
    try home.write(
      "\(bundle)/extension.json",
      """
      {
        "id": "\(Self.captureExtension)", "name": "Capture", "executable": "capture", "protocol": "none",
        "policy": "policy.json"
      }
      """
    )
    let path = try home.write("\(bundle)/policy.json", policy)
    try home.write("\(bundle)/capture", "#!/bin/sh\ntrue\n", mode: 0o755)
    try home.install(home.file("Layers"))

    let session = try home.exec(["true"], options: ["--policy", path])
    #expect(session.command.code == 0, "\(session.command.errors)")
    let recorded = try states(session.record["enforcement"]?["layers"])
    #expect(Set(recorded.keys) == Set(Layer.allCases.map(\.rawValue)))

    let doctor = try home.json(try home.darkroom("doctor", ["--json", "--policy", path]).output)
    let finding = doctor["policies"]?.elements?.first { $0["policy"]?.string == path }
    #expect(try states(finding?["layers"]) == recorded)

    let report = try home.darkroom("audit", ["--json", Self.captureExtension])
    #expect(report.code == 0, "\(report.errors)")
    let part = try #require(try home.json(report.output)["parts"]?.elements?.first)
    #expect(try states(part["enforcement"]?["layers"]) == recorded)
    try expectSummary(part["summary"], of: recorded)
    return recorded
  }

  /// Checks that the summary calls every layer enforced only if every layer is, and names the others.
  private func expectSummary(_ summary: JSONValue?, of states: [String: String]) throws {
    let statements = try #require(summary?.elements)
    let incomplete = states.filter { $0.value != "enforced" }.keys
    let isComplete = statements.contains { $0["text"]?.string?.contains("Every layer") == true }
    #expect(isComplete == incomplete.isEmpty)
    let items = statements.flatMap { $0["items"]?.elements ?? [] }.compactMap(\.string)
    for layer in incomplete { #expect(items.contains { $0.hasPrefix("\(layer): ") }, "\(layer): \(items)") }
  }

  @Test(arguments: TestUser.available)
  func `doctor, audit and record agree on every layer on this machine`(user: TestUser) throws {
    let states = try agreedStates(TestHome(user), Self.policy)
    #expect(states.filter { $0.key != "controlGroup" }.allSatisfy { $0.value == "enforced" }, "\(states)")
  }

  @Test(arguments: TestUser.available)
  func `doctor, audit and record report a degraded control group if there is none`(user: TestUser) throws {
    let home = try TestHome(user)
    home.variables = ["DARKROOM_CGROUP=none"]
    #expect(try agreedStates(home, Self.policy)["controlGroup"] == "degraded")
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `doctor, audit and record agree on every layer of a restricted session`() throws {
    let home = try TestHome(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let states = try agreedStates(home, Self.policy)
    #expect(states["userNamespace"] == "missing" && states["root"] == "missing", "\(states)")
    #expect(states["landlock"] == "enforced")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `doctor, audit and record agree if the host has another seccomp supervisor`(user: TestUser) throws {
    let home = try TestHome(user)
    home.confinementPrefix = SeccompWrapper.supervisorPrefix
    #expect(try agreedStates(home, Self.policy)["seccomp"] == "degraded")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `doctor, audit and record agree if Landlock is unavailable`(user: TestUser) throws {
    let home = try TestHome(user)
    home.confinementPrefix = SeccompWrapper.commandPrefix(answering: 38, to: [.landlock])
    #expect(try agreedStates(home, Self.withoutLandlock)["landlock"] == "missing")
  }
}
