// SPDX-License-Identifier: Apache-2.0

internal import Refusals

/// Libraries that a program names and that its session does not find.
struct LibraryShortage: Sendable {
  /// A library.
  struct Library: Sendable {
    /// Its name.
    var name: String
    /// The host's path of it, or `nil` if the host does not find it either.
    var place: String?
  }

  /// The host's path of the program.
  var file: String
  /// The libraries.
  var libraries: [Library]

  /// The most libraries that a sentence names.
  private static let most = 6

  /// The names of the libraries.
  var names: [String] { libraries.map(\.name) }
  /// The names of those that the host finds.
  var namesOnHost: [String] { libraries.filter { $0.place != nil }.map(\.name) }
  /// The paths of those that the host finds.
  var places: [String] { libraries.compactMap(\.place) }

  /// Returns a sentence for those that the host finds, with the paths to show, and a sentence for the others.
  func notes(_ program: String, fix paths: [String]) -> [String] {
    let options = paths.map { "--read-only \(UntrustedText.word($0, limit: 240))" }.joined(separator: " ")
    let fix = paths.isEmpty ? "copy them to a directory that can be shown" : "add \(options)"
    let missing = libraries.filter { $0.place == nil }.map(\.name)
    return [
      Self.sentence(program, namesOnHost, "which the session is not shown; \(fix)"),
      Self.sentence(
        program,
        missing,
        "which is neither where the program looks nor in a directory of the system; install it"
      ),
    ].compactMap { $0 }
  }

  private static func sentence(_ program: String, _ names: [String], _ end: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(most).map { UntrustedText.word($0, limit: 120) }.joined(separator: ", ")
    let more = names.count > most ? " and \(names.count - most) more" : ""
    return "\(program) needs \(shown)\(more), \(end)"
  }
}
