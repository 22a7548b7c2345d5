// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SandboxLaunch

/// The argument of an attempt, with placeholders in braces for values that only the host knows.
package enum AttemptArgument {
  /// Returns the values of the placeholders that any host can compute from its own process and an unchanged
  /// launch plan.
  package static func facts(of plan: LaunchPlan) -> [String: String] {
    var facts = [
      "process": "\(CurrentProcess.processID)", "descriptors": "\(plan.descriptors.count)",
      "nice": "\(CurrentProcess.nice)", "groups": "\(plan.keptGroupCount)", "program": plan.program.path,
      "uptime": "\(MonotonicClock.sinceBoot / 1_000_000_000)",
      "environment": plan.program.environment.map { "\($0.name)," }.joined(),
      "limits": plan.limits.resources.map { "\($0.resource.rawValue)=\($0.soft)/\($0.hard)," }.joined(),
    ]
    for limit in plan.limits.resources { facts["limit \(limit.resource)"] = "\(limit.hard)" }
    for kind in ["cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"] {
      facts["namespace \(kind)"] = try? FileSystem.linkTarget("/proc/self/ns/\(kind)")
    }
    return facts
  }

  /// Replaces the placeholders. An unknown placeholder is kept, and the probe then makes no attempt.
  package static func substitute(_ text: String, with facts: [String: String]) -> String {
    var rest = text[...]
    var result = ""
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open] + (facts[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension LaunchPlan {
  /// The number of supplementary groups that the session keeps: only root can drop those of the host.
  fileprivate var keptGroupCount: Int {
    if case .other = identity { 0 } else { CurrentProcess.supplementaryGroupCount }
  }
}
