// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Operations that terminate at a named step.
struct CrashOperations {
  /// The environment.
  let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// Runs `install DIR STEP` or `publish DIR STEP`.
  func run(_ words: [String]) throws {
    guard words.count == 3 else { throw WorkerError("crash install|publish DIR STEP") }
    func die(at name: String) { if name == words[2] { kill(CurrentProcess.processID, SIGKILL) } }
    switch words[0] {
    case "install": _ = try world.catalog.install(words[1]) { die(at: $0.rawValue) }
    case "publish": _ = try SharedAssets(world.app()).publish(words[1]) { die(at: $0.rawValue) }
    default: throw WorkerError("crash install|publish DIR STEP")
    }
  }
}
