// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import Policies
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore

/// What is done before a launch: reading policies, compiling filters, planning. `first` is what a program pays that
/// does it once, tables included.
enum PreparationMeasurements: MeasurementGroup {
  static let name = "preparation"
  private static let spawned = "posix_spawn to reaped"

  static func run(_ setting: Setting) throws -> [Section] {
    let capture = try nanoseconds { try PolicyFinder.find("capture").policy }
    var series = [Series("policy capture: find, parse, resolve")]
    series[0].add(nanoseconds: capture.time)
    var steps: [(name: String, step: () throws -> Void)] = [
      (series[0].name, { _ = try PolicyFinder.find("capture") })
    ]
    for (source, text) in ShippedPolicies.texts where source == "base.json" {
      steps.append(("parse \(source)", { _ = try PolicyParser.parse(text, source: source) }))
    }
    for name in ["base", "capture", "strict"] {
      let policy = try PolicyFinder.find(name).policy
      steps.append(("filter \(name), compiled", { _ = try SeccompCompiler.compile(policy) }))
      let loaded = InstalledFilters(try SeccompCompiler.compile(policy).instructions, .reported).programs
      steps.append(("filter \(name), proved", { _ = try FilterInspection.prove(loaded, policy, .reported) }))
    }
    let filters = SeccompFilterCache()
    let compiled = try SeccompCompiler.compile(capture.result).instructions
    try FilterProofs(stateRoot: setting.root.path).require(compiled, .reported, of: capture.result)
    steps.append(
      (
        "filter capture, proved by an earlier host",
        {
          try FilterProofs(stateRoot: setting.root.path).require(compiled, .reported, of: capture.result)
        }
      )
    )
    steps.append(("filter capture, cached", { _ = try filters.filter(for: capture.result) }))
    let planner = LaunchPlanner(stateRoot: setting.root)
    let subject = try setting.subject(policy: "capture")
    let session = setting.session(input: 0, output: 1)
    steps.append(("plan capture", { _ = try planner.plan(subject, session) }))
    let null = try FileSystem.open("/dev/null", .readWrite)
    steps.append(
      (spawned, { try SpawnedProgram.start([setting.payload], descriptors: [1: null.rawValue]).finish() })
    )
    series += steps.dropFirst().map { Series($0.name) }
    // The first time in the order of the list: what comes later profits from tables that are there already.
    for index in steps.indices { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
    try interleave(
      rounds: setting.runs,
      steps.indices.map { index in
        { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
      }
    )
    return [Section("preparation", series, baseline: spawned)]
  }
}
