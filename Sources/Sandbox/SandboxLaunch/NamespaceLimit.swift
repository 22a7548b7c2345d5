// SPDX-License-Identifier: Apache-2.0

/// A limit of the session's user namespace (namespaces(7), `/proc/sys/user`).
///
/// The kernel counts these resources per user in each user namespace, from the inner one outwards. A limit
/// inside is therefore the part of the outer user's resources that one session can use.
package struct NamespaceLimit: Sendable, Hashable {
  /// The name of the file in `/proc/sys/user`.
  package let name: String
  /// The maximum.
  package let value: Int
  /// The path below a mounted proc, computed once because every launch needs it.
  let path: String
  /// The text that is written to the file.
  let text: String

  /// Creates a limit.
  package init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
    path = "sys/user/\(name)"
    text = "\(value)"
  }

  /// The limits of every session: few inotify instances and watches, and no further user namespace, without
  /// which no other namespace can be created.
  ///
  /// On most machines an unprivileged user has 128 inotify instances, so a session can use an eighth of them.
  package static let standard = [
    NamespaceLimit("max_inotify_instances", 16), NamespaceLimit("max_inotify_watches", 4096),
    NamespaceLimit("max_user_namespaces", 0),
  ]
}
