// SPDX-License-Identifier: Apache-2.0

/// Whether a session can create named semaphores (sem_open(3)).
///
/// C libraries publish a named semaphore with a hard link in `/dev/shm`. A filter cannot distinguish that
/// link from one in the session content directory. The call is therefore refused, and the host creates the
/// link instead.
package enum SemaphorePermission: String, CaseIterable, Sendable, Hashable {
  /// The host creates the hard links in `/dev/shm` that the session requests.
  case named
  /// Every hard link is refused, so that only unnamed semaphores exist.
  case unnamed
}

extension SemaphorePermission {
  /// The calls by which C libraries publish a named semaphore.
  package static let calls: Set<String> = ["link", "linkat"]
}
