// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The file in which the host stores an app's context, accessed by the app with the same format and lock.
struct AppContextFile: Sendable {
  private let directory: String
  private let path: String

  /// Creates access to the context file of an app.
  init(_ container: AppContainer) {
    directory = container.contextDirectory
    path = container.contextFile
  }

  /// Returns the stored context, or null if there is none.
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
        "\(path) is damaged (\(error)); store a new context, or remove it with 'darkroom context clear APP'"
      )
    }
  }

  /// Stores a value atomically, or removes the file if the value is null.
  ///
  /// - Returns: `false` if the stored context does not have the given revision.
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

  /// Calls `changed` after each change, until the returned closure is called.
  func observe(_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    do throws(SystemCallError) {
      try? FileSystem.makeDirectories(directory)
      let stopEvent = SharedEvent(try EventCounter.make())
      let watch = SharedWatch(try DirectoryWatch(directory))
      _ = try PlainThread.start(name: "darkroom-context") {
        // Reports changes from before the watch was created.
        changed()
        while let ready = try? Poller.wait([
          (stopEvent.descriptor.rawValue, .readable), (watch.watch.descriptor.rawValue, .readable),
        ]), ready[0].isEmpty {
          // Temporary files in the same directory also cause events.
          if (try? watch.watch.changes())?.isEmpty == false { changed() }
        }
      }
      return { try? EventCounter.add(to: stopEvent.descriptor) }
    } catch {
      CurrentProcess.writeToStandardError(
        "\(directory) cannot be watched: \(error); stop processes of this user that watch many files"
      )
      return {}
    }
  }

  /// An eventfd that two threads share.
  private final class SharedEvent: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// A directory watch that is passed to a thread.
  private final class SharedWatch: Sendable {
    let watch: DirectoryWatch
    init(_ watch: consuming DirectoryWatch) { self.watch = watch }
  }
}
