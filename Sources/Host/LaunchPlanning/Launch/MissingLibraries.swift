// SPDX-License-Identifier: Apache-2.0

internal import Refusals

/// Libraries that a program needs and that its session cannot find.
struct MissingLibraries: Sendable {
  /// A library that the session cannot find.
  struct Library: Sendable {
    /// The name of the library, for example `libm.so.6`.
    var name: String
    /// The path of the library on the host, or `nil` if the host cannot find it either.
    var place: String?
  }

  /// The path of the program on the host.
  var file: String
  /// The missing libraries.
  var libraries: [Library]

  /// The maximum number of libraries that a sentence names.
  private static let maximumNames = 6

  /// The names of the libraries.
  var names: [String] { libraries.map(\.name) }
  /// The names of the libraries that the host can find.
  var namesOnHost: [String] { libraries.filter { $0.place != nil }.map(\.name) }
  /// The host's paths of the libraries that it can find.
  var hostPaths: [String] { libraries.compactMap(\.place) }

  /// Returns a sentence about the libraries that the host can find, with the paths to show, and a sentence
  /// about the other libraries.
  func notes(_ program: String, fix paths: [String]) -> [String] {
    let options = paths.map { "--read-only \(UntrustedText.unquoted($0, limit: 240))" }.joined(separator: " ")
    let fix = paths.isEmpty ? "copy them to a directory that the policy can show" : "add \(options)"
    let missing = libraries.filter { $0.place == nil }.map(\.name)
    return [
      Self.sentence(program, namesOnHost, "which the sandbox does not show; \(fix)"),
      Self.sentence(
        program,
        missing,
        "not found in the program's search path or in a system directory; install it"
      ),
    ].compactMap { $0 }
  }

  private static func sentence(_ program: String, _ names: [String], _ end: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(maximumNames).map { UntrustedText.unquoted($0, limit: 120) }.joined(
      separator: ", "
    )
    let more = names.count > maximumNames ? " and \(names.count - maximumNames) more" : ""
    return "\(program) requires \(shown)\(more), \(end)"
  }
}
