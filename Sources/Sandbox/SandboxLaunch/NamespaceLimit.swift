// SPDX-License-Identifier: Apache-2.0

/// A limit of the session's user namespace (namespaces(7), `/proc/sys/user`).
///
/// The kernel counts these things for a user in every user namespace from the inner one outwards. A limit inside is
/// therefore what one session can take of what the user outside has.
package struct NamespaceLimit: Sendable, Hashable {
  /// The name of the file in `/proc/sys/user`.
  package let name: String
  /// The most that there may be.
  package let value: Int
  /// The path below a mounted proc; put together once, because every launch needs it.
  let path: String
  /// What is written there.
  let text: String

  /// Makes a limit.
  package init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
    path = "sys/user/\(name)"
    text = "\(value)"
  }

  /// What every session gets: few watches, and no user namespace of its own, without which nobody can make another.
  ///
  /// An ordinary user has 128 instances of inotify on most machines, so that a session takes an eighth of them.
  package static let standard = [
    NamespaceLimit("max_inotify_instances", 16), NamespaceLimit("max_inotify_watches", 4096),
    NamespaceLimit("max_user_namespaces", 0),
  ]
}
