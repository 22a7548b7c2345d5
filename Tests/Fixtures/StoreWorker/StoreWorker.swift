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
    guard words.count >= 2 else { misuse() }
    let world = World(StateRoot(path: words.removeFirst()))
    let operation = words.removeFirst()
    do {
      switch operation {
      case "prepare": try world.prepare()
      case "session": try Sessions(world).run(words)
      case "launch": try Sessions(world).launch(words)
      case "sessions": try Sessions(world).runMany(words)
      case "abandon": try Sessions(world).abandon()
      case "erase": try Sessions(world).erase(words)
      case "invalidate": try Sessions(world).invalidate()
      case "recover":
        try Sessions(world).recover()
        if words == ["check"] { try Check(world).run() }
      case "hold": try Sessions(world).hold(words)
      case "bundle": try Bundles(world).write(words)
      case "install", "update": try Bundles(world).install(words)
      case "crash": try Crashes(world).run(words)
      case "uninstall": try Bundles(world).uninstall()
      case "context": try Contexts(world).run(words)
      case "ingest": try Ingests(world).run(words)
      case "post": try Sessions(world).post()
      case "misbehave": try Strangers(world).run(words)
      case "check": try Check(world).run()
      case "settle":
        try world.prepare()
        try Sessions(world.withoutMarks).recover()
        try Check(world).run()
      case "look": try Check(world).look()
      case "account": try Account(world).run()
      default: misuse()
      }
    } catch {
      // Typed errors describe themselves; the description is the message for the user.
      say("error: \(error)", to: 2)
      exit(1)
    }
  }

  private static func misuse() -> Never {
    say("darkroom-store-worker ROOT OPERATION ARG...; see README.md", to: 2)
    exit(2)
  }
}

/// Prints a line without buffering.
func say(_ line: String, to descriptor: Int32 = 1) {
  try? Descriptor.write(Array("\(line)\n".utf8), toNumber: descriptor)
}

/// An operation that could not be performed.
struct Wrong: Error, CustomStringConvertible {
  /// The message.
  let description: String

  init(_ description: String) { self.description = description }
}
