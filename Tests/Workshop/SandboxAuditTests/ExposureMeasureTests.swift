// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import JSONText
import LinuxPrimitives
import PolicyInterchange
import SystemCalls
import TestSupport
import Testing

@testable import SandboxAudit

/// Checks the reachable calls of filters against profile texts.
@Suite struct ExposureMeasureTests {
  /// Returns the measure of a filter that allows some calls.
  private func measure(_ rules: [CallProfile.Rule]) throws -> ExposureMeasure {
    let profile = CallProfile(defaultAction: .errno(1), rules: rules)
    return try ExposureMeasure(profile.behavior(in: CallSpace()))
  }

  @Test func `an empty allow list reaches nothing, and an unfiltered process reaches everything`() throws {
    let nothing = try measure([])
    #expect(nothing.reachable.isEmpty && nothing.operations.isEmpty && nothing.otherArchitectures.isEmpty)
    let everything = try ExposureMeasure(CallProfile.unfiltered.behavior(in: CallSpace()))
    #expect(everything.reachable == CallTable.of(.native).names)
    #expect(everything.limited.isEmpty)
    #expect(Set(everything.operations.keys) == Set(AuditedOperation.all.map(\.id)))
    #expect(
      Set(everything.otherArchitectures) == Set(CallArchitecture.ofThisMachine.dropFirst().map(\.rawValue))
    )
  }

  @Test
  func `a call with one allowed argument value is counted as limited`()
    throws
  {
    let local = try measure([
      .init(["socket"], .allow, where: [.init(0, .equal, 1)]), .init(["read"], .allow),
    ])
    #expect(local.reachable == ["read", "socket"])
    #expect(local.limited == ["socket"])
    #expect(local.operations == ["localSocket": ["socket"]])
  }

  @Test
  func `the reachable calls of Docker match its profile for a standard container`()
    throws
  {
    let peer = try #require(PeerSandbox.all.first { $0.id == "docker" })
    let measure = try ExposureMeasure(peer.peer.profile.behavior(in: CallSpace()))
    // Evaluates the profile text a second time without Darkroom's importer.
    let path = "\(PackageDirectory.path)/Sources/Policy/PolicyInterchange/Peers/docker.json"
    let text = try #require(try FileSystem.contents(path))
    let capabilities = OCIContext.standardCapabilities
    var names: Set<String> = []
    for rule in try JSONNode.parse(text).value["syscalls"]?.elements ?? []
    where rule["action"]?.string == "SCMP_ACT_ALLOW" {
      func list(_ when: String, _ key: String) -> [String] {
        rule[when]?[key]?.elements?.compactMap(\.string) ?? []
      }
      let machine = CallArchitecture.native == .x86 ? "amd64" : "arm64"
      let matchesArchitecture =
        list("includes", "arches").isEmpty || list("includes", "arches").contains(machine)
      let hasRequiredCapabilities = capabilities.isSuperset(of: list("includes", "caps"))
      let lacksExcludedCapabilities =
        list("excludes", "caps").isEmpty || capabilities.isDisjoint(with: list("excludes", "caps"))
      let isExcludedArchitecture = list("excludes", "arches").contains(machine)
      guard matchesArchitecture, hasRequiredCapabilities, lacksExcludedCapabilities, !isExcludedArchitecture
      else { continue }
      names.formUnion(rule["names"]?.elements?.compactMap(\.string) ?? [])
    }
    let known = Set(CallTable.of(.native).names)
    #expect(names.count > 200)
    #expect(Set(measure.reachable) == names.intersection(known))
    #expect(measure.operations["namespaces"] == nil)
  }

  @Test func `escapes untrusted text in HTML`() {
    let untrusted = "<b>&\"'\u{202E}\u{1B}[0m</b>"
    let escaped = HTMLWriter.escaped(untrusted)
    #expect(!escaped.contains { "<>\"'\u{202E}\u{1B}".contains($0) })
    #expect(escaped.hasPrefix("&lt;b&gt;&amp;&quot;&#39;"))
  }
}
