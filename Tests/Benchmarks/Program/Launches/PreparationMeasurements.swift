// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LaunchPlanning
import LinuxPrimitives
import Policies
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore

/// The work before a launch: reading policies, compiling and proving filters, planning. The column `first` is
/// the cost for a program that does this once, including lazy tables.
enum PreparationMeasurements: MeasurementGroup {
  static let name = "preparation"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let bare = setup.line.bare
    let number = setup.null.rawValue
    var steps: [(name: String, step: () throws -> Void)] = [
      (
        "posix_spawn to reaped",
        { try bare.start(.staticC, input: number, output: number).finish(bare.name) }
      ), ("policy capture: found again", { _ = try PolicyFinder.find("capture") }),
    ]
    for (source, text) in ShippedPolicies.texts where source == "capture.json" {
      // A changed text, because the process caches texts that it has read.
      var unread = text
      steps.append(
        (
          "policy capture: parse, resolve",
          {
            unread.append(UInt8(ascii: " "))
            _ = try PolicyFinder.resolve(unread, source: source)
          }
        )
      )
    }
    for (source, text) in ShippedPolicies.texts where source == "base.json" {
      steps.append(("parse \(source)", { _ = try PolicyParser.parse(text, source: source) }))
    }
    for name in ["base", "capture", "strict"] {
      let policy = try PolicyFinder.find(name).policy
      let compiled = try SeccompCompiler.compile(policy).instructions
      let loaded = InstalledFilters(compiled, .reported).programs
      steps.append(("filter \(name), compiled", { _ = try SeccompCompiler.compile(policy) }))
      steps.append(("filter \(name), proved", { _ = try FilterInspection.prove(loaded, policy, .reported) }))
    }
    steps += try launchSteps(setup)
    return [try compare("preparation", rounds: setup.runs, steps)]
  }

  /// Returns the steps of a host that has launched before.
  private static func launchSteps(_ setup: BenchmarkSetup) throws -> [(name: String, step: () throws -> Void)]
  {
    let policy = try PolicyFinder.find("capture").policy
    let root = setup.root
    let filters = ProvedFilterCache(stateRoot: root.path)
    _ = try filters.filter(for: policy, .reported)
    let planner = LaunchPlanner(stateRoot: root)
    let subject = try setup.subject(.staticC, policy: "capture")
    let session = launchSession(content: setup.content, input: 0, output: 1)
    return [
      (
        "filter capture, compiled and proved by an earlier host",
        { _ = try ProvedFilterCache(stateRoot: root.path).filter(for: policy, .reported) }
      ), ("filter capture, cached", { _ = try filters.filter(for: policy, .reported) }),
      ("plan capture", { _ = try planner.plan(subject, session) }),
    ]
  }
}
