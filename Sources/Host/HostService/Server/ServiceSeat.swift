// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The right to be the server of a state root, with the socket at which it is found; both go when this value does.
package struct ServiceSeat: ~Copyable {
  /// Where it is.
  package let place: ServicePlace
  /// Where clients arrive; it never waits.
  let listener: Descriptor
  private let lock: FileLock
  /// The directory that the socket was made in, whatever has its name now.
  private let directory: Descriptor

  /// Nobody finds it any more; the lock is let go after that, so that no other server's socket is removed: neither that of
  /// the next in this directory, nor that of one in another directory which has got its name.
  deinit { try? FileSystem.unlink(ServicePlace.socketName, in: .directory(directory.rawValue)) }

  private init(
    place: ServicePlace,
    directory: consuming Descriptor,
    listener: consuming Descriptor,
    lock: consuming FileLock
  ) {
    self.place = place
    self.directory = directory
    self.listener = listener
    self.lock = lock
  }

  /// Takes the place. The socket that a dead server has left is removed: its lock died with it.
  ///
  /// The directory was made for nobody else before there is a socket in it, so there is no moment in which somebody else
  /// could connect.
  package static func take(_ place: ServicePlace) throws(ServiceFault) -> ServiceSeat {
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
    return ServiceSeat(place: place, directory: directory, listener: listener, lock: lock)
  }

  /// Makes the socket. Only under the lock: it takes the place of whatever is there.
  private static func listen(_ place: ServicePlace) throws(SystemCallError) -> Descriptor {
    try note(place)
    do throws(SystemCallError) { try FileSystem.unlink(place.socket) } catch {
      if error.errno != .noSuchFile { throw error }
    }
    return try place.withSocketPath { path throws(SystemCallError) in try PacketSocket.listen(path) }
  }

  /// Does something that can fail in the system.
  private static func system<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(ServiceFault) -> Result {
    do { return try body() } catch { throw .system(error) }
  }

  /// Writes down who holds the lock, for whoever wants it, too.
  private static func note(_ place: ServicePlace) throws(SystemCallError) {
    let file = try FileSystem.open(place.lockFile, [.write, .truncate, .noFollow])
    try file.writeAll(Array("\(CurrentProcess.processID)\n".utf8))
  }

  /// Who has written down that they hold the lock; nil: they have not yet.
  private static func holder(_ place: ServicePlace) -> Int32? {
    guard let bytes = try? FileSystem.contents(place.lockFile, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self))
  }
}

/// Why there is no server.
package enum ServiceFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is one already.
  case held(place: ServicePlace, by: Int32?)
  /// Others may enter the directory of the socket.
  case notPrivate(path: String)
  /// A system call failed.
  case system(SystemCallError)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .held(let place, let process):
      "\(place.directory) is served already\(process.map { ", by process \($0)" } ?? ""); one server is enough for a "
        + "state root: stop that one first, or give another place with --root DIR"
    case .notPrivate(let path):
      "\(path) must belong to this user, and nobody else may enter it; run: chmod go-rwx \(path)"
    case .system(let error): "\(error)"
    }
  }
}
