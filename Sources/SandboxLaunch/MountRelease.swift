// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The thread that lets the mount namespaces of sessions go which have ended, and makes what the next launch talks over.
final class MountRelease: Sendable {
  /// One for the whole process, made when its first session ends if not before, and there as long as the process is.
  static let shared = MountRelease()

  /// The pipe to the thread, which takes numbers of descriptors from it; nil: there is none, and whoever has one to be
  /// closed waits. It is never closed.
  private let pipe: Int32?

  private init() {
    do throws(SystemCallError) {
      let pipe = try Pipe.make()
      let source = try pipe.readEnd.duplicate().release()
      do { try Self.start(source) } catch {
        _ = Descriptor(owning: source)
        throw error
      }
      self.pipe = pipe.takeWriteEnd().release()
    } catch { pipe = nil }
  }

  private static func start(_ source: Int32) throws(SystemCallError) {
    _ = try PlainThread.start(name: "mount-release") { closeAll(from: source) }
  }

  /// Makes the thread now, on a thread whose directory and processors it may keep.
  static func begin() { _ = shared }

  /// Closes a descriptor that nobody else will close.
  func close(_ descriptor: Int32) {
    let bytes = withUnsafeBytes(of: descriptor) { Array($0) }
    if let pipe, (try? Descriptor.write(bytes, toNumber: pipe)) != nil { return }
    _ = Descriptor(owning: descriptor)
  }

  /// Closes what it is told to until the process ends.
  private static func closeAll(from source: Int32) {
    // Whoever has something closed goes on first.
    PlainThread.standBack()
    var descriptor: Int32 = -1
    // A pipe gives so few bytes whole, as they were written.
    while withUnsafeMutableBytes(of: &descriptor, { Descriptor.readOnce(source, into: $0) })
      == MemoryLayout<Int32>.size
    {
      LaunchChannels.makeSpare()
      _ = Descriptor(owning: descriptor)
    }
  }
}
