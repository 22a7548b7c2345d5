// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// A YUV4MPEG2 video file that has a temporary name until it is complete.
///
/// A crash leaves a file with the suffix `.part`, from which the app can recover the complete frames.
@MainActor
final class VideoFile {
  /// The name of the video, without an extension.
  let name: String
  /// The number of frames.
  private(set) var frames = 0
  /// The session content directory.
  private let directory: String
  /// The file, until it is closed.
  private let stream: UnsafeMutablePointer<FILE>
  /// The capture time of the first frame, in nanoseconds.
  private var first: UInt64 = 0
  /// The capture time of the last frame, in nanoseconds.
  private var last: UInt64 = 0

  /// Creates the file; fails if it already exists.
  init(in directory: URL, name: String) throws {
    self.name = name
    self.directory = directory.path(percentEncoded: false)
    let path = "\(self.directory)/\(name).y4m.part"
    guard let stream = fopen(path, "wxe") else { throw VideoFileError(call: "fopen", path: path) }
    self.stream = stream
  }

  /// Appends a frame. The header is written with the first frame, which determines the size.
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

  /// Synchronizes the file to disk, renames it, and writes its length to a sidecar file.
  func close() throws {
    let part = "\(directory)/\(name).y4m.part"
    let isWritten = fflush(stream) == 0 && fsync(fileno(stream)) == 0
    guard fclose(stream) == 0, isWritten else { throw VideoFileError(call: "fclose", path: part) }
    guard rename(part, "\(directory)/\(name).y4m") == 0 else {
      throw VideoFileError(call: "rename", path: part)
    }
    let length = VideoLength(frames: frames, milliseconds: Int((last - first) / 1_000_000))
    let sidecar = URL(filePath: "\(directory)/\(name).json", directoryHint: .notDirectory)
    try JSONEncoder().encode(length).write(to: sidecar, options: .atomic)
  }

  /// Appends bytes.
  private func write(_ bytes: [UInt8]) throws { try write(bytes.span.bytes) }

  /// Appends all bytes.
  private func write(_ bytes: RawSpan) throws {
    let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard written == bytes.byteCount else {
      throw VideoFileError(call: "fwrite", path: "\(directory)/\(name)")
    }
  }
}

/// The contents of the sidecar file of a complete video.
struct VideoLength: Encodable {
  /// The number of frames.
  let frames: Int
  /// The time from the first frame to the last, in milliseconds.
  let milliseconds: Int
}

/// An error of the C library for a video file.
struct VideoFileError: Error, CustomStringConvertible {
  /// The function that failed.
  let call: String
  /// The path of the file.
  let path: String
  /// The errno of the call.
  let number = errno

  /// The error message.
  var description: String { "\(call) of \(path) failed: \(String(cString: strerror(number)))" }
}
