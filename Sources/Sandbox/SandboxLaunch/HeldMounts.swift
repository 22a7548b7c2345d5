// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The mount namespaces of a session, held until the session has ended.
///
/// When the last one goes who holds a mount namespace, the kernel waits for all processors. As long as the host holds
/// them, no process of the session is that last one, and its end is its end; the host then lets them go beside everything
/// else. What was mounted for the session is there for that moment longer, and nobody is left who could see it.
struct HeldMounts: ~Copyable, Sendable {
  private let own: Descriptor?
  private let hidden: Descriptor?

  /// Takes over the root's namespace and that of the extension, where there are such.
  init(own: consuming Descriptor?, hidden: consuming Descriptor?) {
    self.own = own
    self.hidden = hidden
  }

  /// Gives them up to whoever closes them; -1: none.
  consuming func giveUp() -> (own: Int32, hidden: Int32) { (own?.release() ?? -1, hidden?.release() ?? -1) }
}
