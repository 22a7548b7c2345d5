// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Writes a viewfinder as a YUV4MPEG2 stream to a file or a pipe.
///
/// The writer does not wait for a reader, and writes each frame without a copy from the ring. Frames are
/// skipped while a frame is being written. Writing to a file blocks for as long as its disk takes.
final class PreviewStreamWriter: PreviewDisplay {
  /// The time for which the end of a session waits for the reader to take the last frame, in nanoseconds.
  private static let finishTimeout: UInt64 = 500_000_000

  private var file: Descriptor?
  /// The text to write next: the stream header or a frame header.
  private var text: ArraySlice<UInt8>
  /// The remaining pixels of the current frame, in the ring.
  private var pixels: UnsafeRawBufferPointer?

  /// Opens a file or a named pipe.
  ///
  /// A pipe is opened for reading and writing. Opening it then does not wait for a reader, and writing to it
  /// does not fail without one (fifo(7)).
  init(_ path: String, _ geometry: FrameGeometry) throws(SystemCallError) {
    let isPipe = try FileSystem.status(path)?.kind == .fifo
    let flags: OpenFlags =
      isPipe ? [.readWrite, .nonBlocking] : [.write, .create, .truncate, .nonBlocking]
    file = try FileSystem.open(path, flags, mode: 0o644)
    text = Array(Y4MHeader(geometry: geometry).line.utf8)[...]
  }

  /// The descriptor to poll for space, or `nil` if no data is waiting.
  var writable: Int32? { text.isEmpty && pixels == nil ? nil : file?.rawValue }

  /// Whether the output is open.
  var isOpen: Bool { file != nil }

  /// Whether a frame is being written. The frame must not change until then.
  var isBusy: Bool { pixels != nil }

  /// Always `nil`, because a stream has no events.
  var readable: Int32? { nil }

  /// Does nothing, because each frame refers to its pixels.
  func begin(_ ring: PreviewRing) {}

  /// Does nothing, because a stream has no session states.
  func stateChanged(_ state: PreviewState) {}

  /// Starts to write a frame. The previous frame must be complete.
  func show(_ frame: PreviewRing.Frame) {
    guard file != nil, !isBusy else { return }
    text.append(contentsOf: "\(Y4MHeader.frameMarker)\n".utf8)
    pixels = frame.pixels
    flush()
  }

  /// Writes as much as possible. A closed pipe does not end the session.
  func flush() {
    do throws(SystemCallError) {
      while !text.isEmpty {
        guard let written = try write(text), written > 0 else { return }
        text.removeFirst(written)
      }
      while let rest = pixels {
        guard let written = try file?.write(rest), written > 0 else { return }
        pixels = written < rest.count ? UnsafeRawBufferPointer(rebasing: rest[written...]) : nil
      }
    } catch {
      close()
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
    var result: Result<Int?, SystemCallError> = .success(nil)
    bytes.withUnsafeBytes { bytes in
      result = Result { () throws(SystemCallError) in try file?.write(bytes) ?? nil }
    }
    return try result.get()
  }

  private func close() {
    file = nil
    text = []
    pixels = nil
  }

  /// Writes the remaining data if a reader takes it soon, and closes the output.
  func finish() {
    let end = MonotonicClock.now + Self.finishTimeout
    flush()
    while let waiting = writable, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(waiting, .writable)], until: end), !found[0].isEmpty else { break }
      flush()
    }
    close()
  }
}
