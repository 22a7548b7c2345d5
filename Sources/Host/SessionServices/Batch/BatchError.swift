// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import LinuxPrimitives
package import SessionStore

/// An error that stops a batch. The next run of the same command continues.
package enum BatchError: Error, Sendable, CustomStringConvertible {
  /// The directory of the inputs, or a directory below it, cannot be read.
  case directory(SystemCallError)
  /// The list of inputs on standard input cannot be read.
  case list(SystemCallError)
  /// The list of inputs on standard input has more bytes than this limit.
  case listTooLong(limit: Int)
  /// Another process runs the batch.
  case busy(name: String)
  /// The ledger of the batch belongs to this other definition.
  case differentCommand(BatchDefinition)
  /// A session of a host that died cannot be recovered. The reason is `nil` if another process holds it.
  case notRecovered(SessionID, BatchInput, StoreError?)
  /// The ledger, or the state directory, cannot be used.
  case store(StoreError)
  /// The host could not start or migrate a session.
  case session(BatchInput, SessionError)
  /// A system call of the host failed.
  case host(SystemCallError)

  /// The message for the user.
  package var description: String {
    switch self {
    case .directory(let error):
      "the inputs cannot be read: \(error); name a readable directory after --inputs"
    case .list(let error):
      "standard input cannot be read: \(error); pass the list of inputs by a pipe or a file"
    case .listTooLong(let limit):
      "the list of inputs has more than \(limit) bytes; split the list, and use another --name for each part"
    case .busy(let name):
      "another process runs the batch '\(name)'; wait for its end, or use another --name"
    case .differentCommand(let definition):
      "the batch '\(definition.name)' was started for \(definition.app) with another command ("
        + definition.command.map(ShellWord.quoted).joined(separator: " ") + "); use another --name"
    case .notRecovered(let session, let input, let reason):
      "the interrupted session \(session) of \(input.path) is not recovered: "
        + (reason.map { "\($0)" } ?? "another process holds its lock")
        + "; run 'darkroom recover', and then this command again"
    case .store(let error): "\(error)"
    case .session(let input, let error): "\(input.path): \(error.message)"
    case .host(let error):
      "the batch cannot continue: \(error); the next run of the same command continues"
    }
  }
}
