// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The mount namespaces of a session, which the host holds until the session has ended.
///
/// When the last reference to a mount namespace is dropped, the kernel waits for all processors. While the
/// host holds the namespaces, the exit of a session process does not include that wait. The host then
/// releases them in parallel to other work. The session's mounts exist for that moment longer, but no process
/// is left that could use them.
struct HeldMounts: ~Copyable, Sendable {
  private let own: Descriptor?
  private let hidden: Descriptor?

  /// Takes ownership of the namespaces of the root and of the extension.
  init(own: consuming Descriptor?, hidden: consuming Descriptor?) {
    self.own = own
    self.hidden = hidden
  }

  /// Releases ownership. The caller must close the descriptors; -1 means that there is none.
  consuming func release() -> (own: Int32, hidden: Int32) { (own?.release() ?? -1, hidden?.release() ?? -1) }
}
