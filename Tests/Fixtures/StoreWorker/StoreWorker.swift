// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Changes a state root with the code of the real programs, for fault injection tests. README.md in this
/// directory lists the operations.
///
/// Exits with 0 if the operation succeeded, with 1 and a message if it failed, and with 2 on a usage error.
@main struct StoreWorker {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { exitWithUsage() }
    let world = WorkerEnvironment(StateRoot(path: words.removeFirst()))
    let operation = words.removeFirst()
    do {
      switch operation {
      case "prepare": try world.prepare()
      case "session": try SessionOperations(world).run(words)
      case "launch": try SessionOperations(world).launch(words)
      case "sessions": try SessionOperations(world).runMany(words)
      case "abandon": try SessionOperations(world).abandon()
      case "erase": try SessionOperations(world).erase(words)
      case "invalidate": try SessionOperations(world).invalidate()
      case "recover":
        try SessionOperations(world).recover()
        if words == ["check"] { try Check(world).run() }
      case "hold": try SessionOperations(world).hold(words)
      case "bundle": try BundleOperations(world).write(words)
      case "install", "update": try BundleOperations(world).install(words)
      case "crash": try CrashOperations(world).run(words)
      case "uninstall": try BundleOperations(world).uninstall()
      case "context": try AppContextOperations(world).run(words)
      case "ingest": try IngestOperations(world).run(words)
      case "post": try SessionOperations(world).post()
      case "misbehave": try MisbehavingSessions(world).run(words)
      case "check": try Check(world).run()
      case "settle":
        try world.prepare()
        try SessionOperations(world.withoutAcknowledgments).recover()
        try Check(world).run()
      case "look": try Check(world).checkInvariants()
      case "account": try ContentAccounting(world).run()
      default: exitWithUsage()
      }
    } catch {
      // Typed errors describe themselves; the description is the message for the user.
      printLine("error: \(error)", to: 2)
      exit(1)
    }
  }

  private static func exitWithUsage() -> Never {
    printLine("darkroom-store-worker ROOT OPERATION ARG...; see README.md", to: 2)
    exit(2)
  }
}

/// Prints a line without buffering.
func printLine(_ line: String, to descriptor: Int32 = 1) {
  try? Descriptor.write(Array("\(line)\n".utf8), toNumber: descriptor)
}

/// An operation that could not be performed.
struct WorkerError: Error, CustomStringConvertible {
  /// The message.
  let description: String

  init(_ description: String) { self.description = description }
}
