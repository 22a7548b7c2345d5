// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Dies in the middle of what it does, at a step that has a name.
struct Crashes {
  /// Where.
  let world: World

  /// Works in a world.
  init(_ world: World) { self.world = world }

  /// `install DIR STEP` and `publish DIR STEP`.
  func run(_ words: [String]) throws {
    guard words.count == 3 else { throw Wrong("crash install|publish DIR STEP") }
    func die(at name: String) { if name == words[2] { kill(CurrentProcess.processID, SIGKILL) } }
    switch words[0] {
    case "install": _ = try world.catalog.install(words[1]) { die(at: $0.rawValue) }
    case "publish": _ = try SharedAssets(world.app()).publish(words[1]) { die(at: $0.rawValue) }
    default: throw Wrong("crash install|publish DIR STEP")
    }
  }
}
