// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SandboxLaunch

extension HostileHost {
  /// What the names in braces stand for, as long as nothing has been taken out of the plan.
  func facts(_ plan: LaunchPlan, content: String) throws -> [String: String] {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    var facts = [
      "secret": secret, "root": options.root, "content": content,
      "container": "\(FileSystem.directoryName(content))/container", "process": "\(getpid())",
      "port": "\(port)", "abstract": abstractName, "socket": socketPath, "memory": "\(sharedMemory)",
      "descriptors": "\(plan.descriptors.count)", "nice": "\(CurrentProcess.nice)",
      "program": plan.executable, "shown": Self.shown, "uptime": "\(now.tv_sec)",
      "environment": plan.environment.map { "\($0.name)," }.joined(),
      "limits": plan.limits.map { "\($0.resource.rawValue)=\($0.soft)/\($0.hard)," }.joined(),
    ]
    for limit in plan.limits { facts["limit \(limit.resource)"] = "\(limit.hard)" }
    for name in ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"] {
      facts["namespace \(name)"] = try FileSystem.linkTarget("/proc/self/ns/\(name)")
    }
    return facts
  }

  /// Replaces the names in braces; what has no meaning stays as it is.
  static func fill(_ text: String, with facts: [String: String]) -> String {
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
