// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import Refusals

/// A reason for which a program that the host has cannot start in a session.
package enum ProgramFault: Sendable, Hashable, CustomStringConvertible {
  /// A symbolic link on the way to the program leads to a file that the session is not shown. `show` is the path to show, or
  /// `nil` if none may be shown.
  case linkOut(program: String, link: String, target: String, show: String?)
  /// The host has the part, and the session is not shown it.
  case hidden(ProgramPart, of: String, path: String, show: String?)
  /// The host does not have the part.
  case missing(ProgramPart, of: String, path: String)
  /// The first line of a script names no interpreter by an absolute path.
  case noInterpreter(script: String, line: String)
  /// The first line of a script has env(1) look for a name that is not in `PATH`.
  case notInPath(script: String, name: String, directories: [String])

  /// The policy lets a program be executed once, by a descriptor, and no script can be executed so.
  case scriptOnce(script: String, interpreter: String, policy: String)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .linkOut(let program, let link, let target, let path):
      "\(program): the symbolic link \(program == link ? "" : "\(Self.word(link)) ")leads to \(Self.word(target)), which the session is "
        + "not shown; \(Self.fix(path))"
    case .hidden(let part, let program, let file, let path):
      "\(program): the session is not shown its \(part.rawValue) \(Self.word(file)); \(Self.fix(path))"
        + (part == .loader ? ", or link the program statically" : "")
    case .missing(let part, let program, let file):
      "\(program): this machine does not have its \(part.rawValue) \(Self.word(file)); "
        + (part == .interpreter
          ? "install it, or correct the first line of the script"
          : "install it, or link the program statically")
    case .noInterpreter(let script, let line):
      "\(script): its first line \(Self.word("#!\(line)")) names no interpreter by an absolute path; write a line such as #!/bin/sh"
    case .notInPath(let script, let name, let directories):
      "\(script): its first line looks for \(Self.word(name)) in PATH (\(directories.joined(separator: ":"))), which does not have it; "
        + "show its directory with --read-only, and set --env PATH=…"
    case .scriptOnce(let script, let interpreter, let policy):
      "\(script): the policy \(policy) lets no script run (\"execute\": \"once\"); name \(Self.word(interpreter)) as the program, and the "
        + "script as its argument"
    }
  }

  /// A word of the program's own, which can be anything.
  private static func word(_ text: String) -> String { UntrustedText.word(text, limit: 240) }

  /// The fix for a file that the session is not shown.
  private static func fix(_ path: String?) -> String {
    path.map { "add --read-only \(word($0))" } ?? "copy it to a directory that can be shown"
  }
}
