// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The file in which the host keeps an app's context, seen by the app; the same bytes under the same lock.
struct AppContextFile: Sendable {
  private let directory: String
  private let path: String

  /// The context file of an app.
  init(_ container: AppContainer) {
    directory = container.contextDirectory
    path = container.contextFile
  }

  /// What is stored; null for no context.
  func read() throws -> JSONValue {
    let bytes: [UInt8]?
    do throws(SystemCallError) {
      bytes = try FileSystem.open(path, [.noFollow]).readAll(limit: AppContextLimits.bytes)
    } catch {
      if error.errno == .noSuchFile { return .null }
      throw error
    }
    do {
      let limits = JSONLimits(bytes: AppContextLimits.bytes, depth: 32)
      return try JSONNode.parse(bytes ?? [], limits: limits).value
    } catch {
      throw LockedCameraCaptureError(
        .invalidContext,
        "\(path) is damaged (\(error)); store a context anew, or clear it with \"darkroom context clear\""
      )
    }
  }

  /// Stores a value with one rename, or with null none; gives false if another revision is stored.
  func write(_ value: JSONValue, ifAt revision: AppContextRevision?) throws -> Bool {
    try FileSystem.makeDirectories(directory)
    let lock = try FileLock.lock(owning: FileSystem.open(directory, [.directory]))
    defer { withExtendedLifetime(directory) {} }
    if let revision, try AppContextRevision(read()) != revision { return false }
    if value.isNull {
      do throws(SystemCallError) { try FileSystem.unlink(path) } catch {
        if error.errno != .noSuchFile { throw error }
      }
      try FileSystem.synchronizeDirectory(directory)
    } else {
      try FileSystem.replaceContents(path, with: value.bytes(.compact))
    }
    _ = lock
    return true
  }

  /// Calls `changed` after every change, until the result is called.
  func observe(_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    do throws(SystemCallError) {
      try? FileSystem.makeDirectories(directory)
      let stopping = SharedEvent(try EventCounter.make())
      let watch = SharedWatch(try DirectoryWatch(directory))
      _ = try PlainThread.start(name: "darkroom-context") {
        // What happened before the watch was there.
        changed()
        while let ready = try? Poller.wait([
          (stopping.descriptor.rawValue, .readable), (watch.watch.descriptor.rawValue, .readable),
        ]), ready[0].isEmpty {
          // Temporary files come and go beside the context.
          if (try? watch.watch.changes())?.isEmpty == false { changed() }
        }
      }
      return { try? EventCounter.add(to: stopping.descriptor) }
    } catch {
      CurrentProcess.complain("\(directory) cannot be watched: \(error); end what holds so many files open")
      return {}
    }
  }

  /// An eventfd that two threads hold.
  private final class SharedEvent: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// A watch that a thread takes with it.
  private final class SharedWatch: Sendable {
    let watch: DirectoryWatch
    init(_ watch: consuming DirectoryWatch) { self.watch = watch }
  }
}
