// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// The pipes between the host and the init of one launch.
struct LaunchChannels: ~Copyable, Sendable {
  /// The pipe to which the init writes the extension's exit status.
  var status: Pipe
  /// The pipe from which the init reads commands. Its end ends the session.
  var control: Pipe

  /// The pipes for the next launch, created in advance: creating them takes the kernel as long as several
  /// steps of a launch. Each launch uses new pipes.
  private static let spare = Mutex<LaunchChannels?>(nil)

  /// Returns the pipes for a launch.
  static func take() throws(SystemCallError) -> LaunchChannels {
    if let made = spare.withLock({ $0.take() }) { return made }
    return try make()
  }

  /// Creates the pipes for the next launch, if there are none. Errors are ignored, because the launch tries
  /// again and reports them.
  static func makeSpare() {
    guard spare.withLock({ $0 == nil }) else { return }
    var made = try? make()
    spare.withLock { $0 = made.take() }
  }

  /// Passes the ends of the init to a launch.
  ///
  /// If this method were inlined, the optimizer of Swift 6.2.3 would stop with a failed verification.
  @inline(never)
  func install(in plan: inout darkroom_plan) {
    plan.status_write = status.writeEnd.rawValue
    plan.control_read = control.readEnd.rawValue
  }

  private static func make() throws(SystemCallError) -> LaunchChannels {
    LaunchChannels(status: try Pipe.make(), control: try Pipe.make())
  }
}
