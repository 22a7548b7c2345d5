// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Where a viewfinder is shown: a YUV4MPEG2 stream into a file or a pipe.
///
/// It never waits: while a frame has not gone out whole, the next ones are not shown.
final class PreviewOutput {
  /// How long the end of a session waits for a reader that has still to take the last frame, in nanoseconds.
  private static let farewell: UInt64 = 500_000_000

  private var file: Descriptor?
  private var queue: ArraySlice<UInt8>

  /// Opens a file or a named pipe. Opening a pipe for both ways does not wait for its reader, and writing to it does
  /// not fail when there is none (fifo(7)).
  init(_ path: String, _ geometry: FrameGeometry) throws(SystemCallError) {
    let isPipe = try FileSystem.status(path)?.kind == .fifo
    let flags: OpenFlags =
      isPipe ? [.readWrite, .nonBlocking] : [.write, .create, .truncate, .nonBlocking]
    file = try FileSystem.open(path, flags, mode: 0o644)
    queue = Array(Y4MHeader(geometry: geometry).line.utf8)[...]
  }

  /// What to watch for room; nil while nothing waits.
  var writable: Int32? { queue.isEmpty ? nil : file?.rawValue }

  /// Shows a frame, unless the one before is still on its way.
  func show(_ pixels: [UInt8]) {
    guard file != nil else { return }
    flush()
    // Only the first line may still wait: the frame goes behind it.
    guard queue.count <= Y4MHeader.lineLimit else { return }
    queue.append(contentsOf: "\(Y4MHeader.frameLine)\n".utf8)
    queue.append(contentsOf: pixels)
    flush()
  }

  /// Writes what is taken now. Whoever does not want to see it any more ends no session.
  func flush() {
    while !queue.isEmpty {
      let written: Int?
      do throws(SystemCallError) { written = try write() } catch {
        file = nil
        queue = []
        return
      }
      guard let written, written > 0 else { return }
      queue.removeFirst(written)
    }
  }

  private func write() throws(SystemCallError) -> Int? {
    var result: Result<Int?, SystemCallError> = .success(nil)
    queue.withUnsafeBytes { bytes in
      result = Result { () throws(SystemCallError) in try file?.write(bytes) ?? nil }
    }
    return try result.get()
  }

  /// Writes what waits, as far as somebody takes it soon, and closes.
  func finish() {
    let end = MonotonicClock.now + Self.farewell
    flush()
    while let waiting = writable, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(waiting, .writable)], until: end), !found[0].isEmpty else { break }
      flush()
    }
    file = nil
  }
}
