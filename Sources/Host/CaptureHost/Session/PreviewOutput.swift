// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Where a viewfinder is shown: a YUV4MPEG2 stream into a file or a pipe.
///
/// It never waits for a reader, and copies nothing: a frame goes out from where it was drawn. While it has not gone out
/// whole, the next ones are not shown. A file takes what it is given at once, as fast as its disk does.
final class PreviewOutput: PreviewScreen {
  /// How long the end of a session waits for a reader that has still to take the last frame, in nanoseconds.
  private static let farewell: UInt64 = 500_000_000

  private var file: Descriptor?
  /// The text that goes out next: the first line, or the one before a frame.
  private var text: ArraySlice<UInt8>
  /// What of the frame's pixels has still to go out after that, where the extension has drawn them.
  private var pixels: UnsafeRawBufferPointer?

  /// Opens a file or a named pipe. Opening a pipe for both ways does not wait for its reader, and writing to it does
  /// not fail when there is none (fifo(7)).
  init(_ path: String, _ geometry: FrameGeometry) throws(SystemCallError) {
    let isPipe = try FileSystem.status(path)?.kind == .fifo
    let flags: OpenFlags =
      isPipe ? [.readWrite, .nonBlocking] : [.write, .create, .truncate, .nonBlocking]
    file = try FileSystem.open(path, flags, mode: 0o644)
    text = Array(Y4MHeader(geometry: geometry).line.utf8)[...]
  }

  /// What to watch for room; nil while nothing waits.
  var writable: Int32? { text.isEmpty && pixels == nil ? nil : file?.rawValue }

  /// Whether anything is shown there any more.
  var isOpen: Bool { file != nil }

  /// Whether a frame is on its way, which is to stay as it is until then.
  var isBusy: Bool { pixels != nil }

  /// A reader says nothing.
  var readable: Int32? { nil }

  /// A stream says nothing of where its frames come from.
  func begin(_ ring: PreviewRing) {}

  /// A stream says nothing of states.
  func tell(_ state: PreviewState) {}

  /// Begins to show a frame; the one before has gone out.
  func show(_ frame: PreviewRing.Frame) {
    guard file != nil, !isBusy else { return }
    text.append(contentsOf: "\(Y4MHeader.frameLine)\n".utf8)
    pixels = frame.pixels
    flush()
  }

  /// Writes what is taken now. Whoever does not want to see it any more ends no session.
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

  /// Writes what waits, as far as somebody takes it soon, and closes.
  func finish() {
    let end = MonotonicClock.now + Self.farewell
    flush()
    while let waiting = writable, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(waiting, .writable)], until: end), !found[0].isEmpty else { break }
      flush()
    }
    close()
  }
}
