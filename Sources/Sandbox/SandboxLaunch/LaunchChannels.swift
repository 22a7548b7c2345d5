// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// What the host and the init of one launch talk over.
struct LaunchChannels: ~Copyable, Sendable {
  /// The init reports here how the extension ended.
  var status: Pipe
  /// The init listens here; the end of it ends the session.
  var control: Pipe

  /// Those of the next launch, made while nobody waits for them: the kernel takes as long to make them as for several steps
  /// of a launch. They are of one launch alone like any others.
  private static let spare = Mutex<LaunchChannels?>(nil)

  /// Those of a launch.
  static func take() throws(SystemCallError) -> LaunchChannels {
    if let made = spare.withLock({ $0.take() }) { return made }
    return try make()
  }

  /// Makes those of the next launch, if there are none. What cannot be made then is made, or told, by the launch.
  static func makeSpare() {
    guard spare.withLock({ $0 == nil }) else { return }
    var made = try? make()
    spare.withLock { $0 = made.take() }
  }

  private static func make() throws(SystemCallError) -> LaunchChannels {
    LaunchChannels(status: try Pipe.make(), control: try Pipe.make())
  }
}
