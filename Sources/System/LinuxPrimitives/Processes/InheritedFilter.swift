// SPDX-License-Identifier: Apache-2.0

/// The system call filters that this process inherited, and the program that has probably installed them.
package struct InheritedFilter: Hashable, Sendable {
  /// The number of filters.
  package var count = 0
  /// The systemd unit of this process, or `nil` if the process belongs to no unit.
  package var unit: String?
  /// The name of the container software, or `nil` if the process does not appear to be in a container.
  package var container: String?

  /// Creates a value without filters.
  package init() {}

  /// The filters of this process.
  package static var current: InheritedFilter {
    var filter = InheritedFilter()
    filter.count = count(inStatus: text("/proc/self/status"))
    filter.unit = unit(inGroups: text("/proc/self/cgroup"))
    filter.container = containerName
    return filter
  }

  /// Returns the number of filters in the text of `/proc/self/status`.
  ///
  /// The kernel reports the number since Linux 5.9. Older kernels report only the mode.
  static func count(inStatus text: String) -> Int {
    var fields: [Substring: Int] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("Seccomp") {
      let parts = line.split(separator: ":")
      fields[parts[0]] = parts.count == 2 ? Int(parts[1].drop { $0 == "\t" || $0 == " " }) : nil
    }
    return fields["Seccomp_filters"] ?? (fields["Seccomp"] == 2 ? 1 : 0)
  }

  /// Returns the service that is last in a path of the text of `/proc/self/cgroup`.
  ///
  /// The shell of a user session runs in a scope below the service of the user manager, which installs no
  /// filter.
  static func unit(inGroups text: String) -> String? {
    let paths = text.split(separator: "\n").compactMap { line in
      line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last
    }
    let units = paths.compactMap { $0.split(separator: "/").last }.filter { $0.hasSuffix(".service") }
    return units.first.map(String.init)
  }

  private static var containerName: String? {
    if let name = CurrentProcess.environment("container"), !name.isEmpty { return name }
    /// Returns whether a file exists.
    func exists(_ path: String) -> Bool { ((try? FileSystem.status(path)) ?? nil) != nil }
    if exists("/.dockerenv") { return "docker" }
    return exists("/run/.containerenv") ? "podman" : nil
  }

  private static func text(_ path: String) -> String {
    guard let bytes = try? FileSystem.contents(path) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
