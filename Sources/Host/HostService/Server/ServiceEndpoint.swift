// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The exclusive right to serve a state root, with the listening socket. Both are released with this value.
package struct ServiceEndpoint: ~Copyable {
  /// The location of the server.
  package let place: ServicePaths
  /// The non-blocking listening socket.
  package let listener: Descriptor
  private let lock: FileLock
  /// The directory in which the socket was created, even if it has been renamed since.
  private let directory: Descriptor

  /// Removes the socket before the lock is released. So another server's socket is never removed, neither in
  /// this directory nor in another one that has taken its name.
  deinit { try? FileSystem.unlink(place.socketName, in: .directory(directory.rawValue)) }

  private init(
    place: ServicePaths,
    directory: consuming Descriptor,
    listener: consuming Descriptor,
    lock: consuming FileLock
  ) {
    self.place = place
    self.directory = directory
    self.listener = listener
    self.lock = lock
  }

  /// Acquires the right to serve a state root. The socket of a terminated server is removed; its lock was
  /// released when it exited.
  ///
  /// Only this user can enter the directory before the socket is created, so no other user can connect at any
  /// time.
  package static func acquire(_ place: ServicePaths) throws(ServiceError) -> ServiceEndpoint {
    try system { () throws(SystemCallError) in try FileSystem.prepareDirectory(place.directory) }
    let directory = try system { () throws(SystemCallError) in
      try FileSystem.open(place.directory, [.directory, .noFollow])
    }
    let status = try system { () throws(SystemCallError) in try directory.status() }
    guard status.owner == CurrentProcess.effectiveUserID, status.permissions & 0o077 == 0 else {
      throw .notPrivate(path: place.directory)
    }
    let held = try system { () throws(SystemCallError) in try FileLock.tryLock(place.lockFile) }
    guard let lock = held else { throw .held(place: place, by: holder(place)) }
    let listener = try system { () throws(SystemCallError) in try listen(place) }
    return ServiceEndpoint(place: place, directory: directory, listener: listener, lock: lock)
  }

  /// Creates the socket. The caller must hold the lock, because an existing socket is replaced.
  private static func listen(_ place: ServicePaths) throws(SystemCallError) -> Descriptor {
    try recordHolder(place)
    do throws(SystemCallError) { try FileSystem.unlink(place.socket) } catch {
      if error.errno != .noSuchFile { throw error }
    }
    return try place.withSocketPath { path throws(SystemCallError) in
      switch place.clients {
      case .commands: try PacketSocket.listen(path)
      case .programs: try StreamSocket.listen(path)
      }
    }
  }

  /// Runs a closure and converts its system call error.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(ServiceError) -> Result {
    do { return try body() } catch { throw .system(error) }
  }

  /// Writes this process's PID to the lock file, for error messages of other servers.
  private static func recordHolder(_ place: ServicePaths) throws(SystemCallError) {
    let file = try FileSystem.open(place.lockFile, [.write, .truncate, .noFollow])
    try file.writeAll(Array("\(CurrentProcess.processID)\n".utf8))
  }

  /// Returns the PID in the lock file, or `nil` if it has not been written yet.
  private static func holder(_ place: ServicePaths) -> Int32? {
    guard let bytes = try? FileSystem.contents(place.lockFile, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self))
  }
}

/// A reason why a server could not be started.
package enum ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another server already serves the state root.
  case held(place: ServicePaths, by: Int32?)
  /// Other users can enter the directory of the socket.
  case notPrivate(path: String)
  /// A system call failed.
  case system(SystemCallError)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .held(let place, let process):
      "\(place.directory) is already served\(process.map { " by process \($0)" } ?? ""); stop that server first, or "
        + "use another directory with --root DIR"
    case .notPrivate(let path):
      "\(path) must belong to this user and must not be accessible to other users; run 'chmod go-rwx \(path)'"
    case .system(let error): "\(error)"
    }
  }
}
