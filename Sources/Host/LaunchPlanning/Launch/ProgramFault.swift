// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import Refusals

/// A reason why a program of the host cannot start in a session.
package enum ProgramFault: Sendable, Hashable, CustomStringConvertible {
  /// A symbolic link in the program's path leads to a file that the session is not shown. `show` is the path
  /// to show, or `nil` if no path may be shown.
  case danglingLink(program: String, link: String, target: String, show: String?)
  /// The session is not shown a part of the program that exists on the host.
  case hidden(ProgramPart, of: String, path: String, show: String?)
  /// A part of the program does not exist on the host.
  case missing(ProgramPart, of: String, path: String)
  /// The first line of a script does not name an interpreter by an absolute path.
  case noInterpreter(script: String, line: String)
  /// The first line of a script uses env(1) with a name that is not in `PATH`.
  case notInPath(script: String, name: String, directories: [String])

  /// The policy allows the program to be executed once, by a descriptor, which is impossible for scripts.
  case scriptOnce(script: String, interpreter: String, policy: String)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .danglingLink(let program, let link, let target, let path):
      "\(program): the symbolic link \(program == link ? "" : "\(Self.word(link)) ")leads to \(Self.word(target)), "
        + "which the sandbox does not show; \(Self.fix(path))"
    case .hidden(let part, let program, let file, let path):
      "\(program): the sandbox does not show its \(part.rawValue) \(Self.word(file)); \(Self.fix(path))"
        + (part == .loader ? ", or link the program statically" : "")
    case .missing(let part, let program, let file):
      "\(program): its \(part.rawValue) \(Self.word(file)) does not exist on this machine; "
        + (part == .interpreter
          ? "install it, or correct the first line of the script"
          : "install it, or link the program statically")
    case .noInterpreter(let script, let line):
      "\(script): its first line \(Self.word("#!\(line)")) does not name an interpreter by an absolute path; write a "
        + "line such as #!/bin/sh"
    case .notInPath(let script, let name, let directories):
      "\(script): its first line searches for \(Self.word(name)), which is not in PATH "
        + "(\(directories.joined(separator: ":"))); show its directory with --read-only, and set --env PATH=…"
    case .scriptOnce(let script, let interpreter, let policy):
      "\(script): the policy \(policy) does not allow scripts (\"execute\": \"once\"); use \(Self.word(interpreter)) "
        + "as the program, and the script as its argument"
    }
  }

  /// Returns untrusted text in a printable form.
  private static func word(_ text: String) -> String { UntrustedText.unquoted(text, limit: 240) }

  /// Returns the fix for a file that the session is not shown.
  private static func fix(_ path: String?) -> String {
    path.map { "add --read-only \(word($0))" } ?? "copy it to a directory that the policy can show"
  }
}
