// SPDX-License-Identifier: Apache-2.0

/// The system call filters that other programs have put on this process, and the program that has probably done that.
package struct SurroundingFilter: Hashable, Sendable {
  /// The number of filters.
  package var count = 0
  /// The systemd unit that this process belongs to, or `nil` if the process belongs to none.
  package var unit: String?
  /// The software whose container this is, or `nil` if nothing shows a container.
  package var container: String?

  /// Describes a process without filters.
  package init() {}

  /// The filters on this process.
  package static var current: SurroundingFilter {
    var filter = SurroundingFilter()
    filter.count = count(inStatus: text("/proc/self/status"))
    filter.unit = unit(inGroups: text("/proc/self/cgroup"))
    filter.container = containerName
    return filter
  }

  /// Returns the number of filters that the text of `/proc/self/status` reports.
  ///
  /// The kernel counts filters since Linux 5.9; before, only the mode is known.
  static func count(inStatus text: String) -> Int {
    var fields: [Substring: Int] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("Seccomp") {
      let parts = line.split(separator: ":")
      fields[parts[0]] = parts.count == 2 ? Int(parts[1].drop { $0 == "\t" || $0 == " " }) : nil
    }
    return fields["Seccomp_filters"] ?? (fields["Seccomp"] == 2 ? 1 : 0)
  }

  /// Returns the service that the text of `/proc/self/cgroup` names last.
  ///
  /// A shell of a user's session runs in a scope, below the service of the user's manager: that service filters nothing.
  static func unit(inGroups text: String) -> String? {
    let paths = text.split(separator: "\n").compactMap { line in
      line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last
    }
    let units = paths.compactMap { $0.split(separator: "/").last }.filter { $0.hasSuffix(".service") }
    return units.first.map(String.init)
  }

  private static var containerName: String? {
    if let name = CurrentProcess.environment("container"), !name.isEmpty { return name }
    /// Whether a file exists.
    func exists(_ path: String) -> Bool { ((try? FileSystem.status(path)) ?? nil) != nil }
    if exists("/.dockerenv") { return "docker" }
    return exists("/run/.containerenv") ? "podman" : nil
  }

  private static func text(_ path: String) -> String {
    guard let bytes = try? FileSystem.contents(path) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
