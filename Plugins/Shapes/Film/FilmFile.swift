// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// A film as YUV4MPEG2, under another name until it is whole.
///
/// What a crash leaves is a file that ends in `.part`: the app can still take the frames out of it that are complete.
@MainActor
final class FilmFile {
  /// The film's name without what follows the dot.
  let name: String
  /// How many frames it has.
  private(set) var frames = 0
  /// The content directory.
  private let directory: String
  /// The file, until it is closed.
  private let stream: UnsafeMutablePointer<FILE>
  /// When the first frame was taken, in nanoseconds.
  private var first: UInt64 = 0
  /// When the last frame was taken, in nanoseconds.
  private var last: UInt64 = 0

  /// Begins a film; nothing of that name may be there.
  init(in directory: URL, name: String) throws {
    self.name = name
    self.directory = directory.path(percentEncoded: false)
    let path = "\(self.directory)/\(name).y4m.part"
    guard let stream = fopen(path, "wxe") else { throw FilmError(call: "fopen", path: path) }
    self.stream = stream
  }

  /// Adds a frame; the header is written with the first one, which knows the size.
  func append(_ frame: borrowing CaptureFrame) throws {
    if frames == 0 {
      try write(Array("YUV4MPEG2 W\(frame.width) H\(frame.height) F30:1 Ip C420jpeg\n".utf8))
      first = frame.timestamp
    }
    try write(Array("FRAME\n".utf8))
    for plane in CaptureFrame.Plane.allCases {
      let layout = frame.layout(of: plane)
      try frame.withPlane(plane) { samples in
        for row in 0..<layout.height {
          try write(samples.extracting(row * layout.stride..<row * layout.stride + layout.width))
        }
      }
    }
    frames += 1
    last = frame.timestamp
  }

  /// Makes the film durable, gives it its name, and says beside it how long it is.
  func close() throws {
    let part = "\(directory)/\(name).y4m.part"
    let isWritten = fflush(stream) == 0 && fsync(fileno(stream)) == 0
    guard fclose(stream) == 0, isWritten else { throw FilmError(call: "fclose", path: part) }
    guard rename(part, "\(directory)/\(name).y4m") == 0 else { throw FilmError(call: "rename", path: part) }
    let length = FilmLength(frames: frames, milliseconds: Int((last - first) / 1_000_000))
    let sidecar = URL(filePath: "\(directory)/\(name).json", directoryHint: .notDirectory)
    try JSONEncoder().encode(length).write(to: sidecar, options: .atomic)
  }

  /// Adds bytes.
  private func write(_ bytes: [UInt8]) throws { try write(bytes.span.bytes) }

  /// Adds bytes, all of them.
  private func write(_ bytes: RawSpan) throws {
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard written == bytes.byteCount else { throw FilmError(call: "fwrite", path: "\(directory)/\(name)") }
  }
}

/// What stands beside a film that was closed.
struct FilmLength: Encodable {
  /// How many frames it has.
  let frames: Int
  /// From the first frame to the last.
  let milliseconds: Int
}

/// The C library has not done something with a film.
struct FilmError: Error, CustomStringConvertible {
  /// What it was asked for.
  let call: String
  /// The file.
  let path: String
  /// Why not.
  let number = errno

  /// A sentence.
  var description: String { "\(call) of \(path) failed: \(String(cString: strerror(number)))" }
}
