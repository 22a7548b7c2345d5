// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// A film ends, or has a fault that is named; its header, written again, describes the same frames.
func checkFilm(_ input: [UInt8]) throws(Contradiction) {
  if let end = input.firstIndex(of: UInt8(ascii: "\n")) { try checkHeader(Array(input[..<end])) }
  guard let stop = try? StopSignal() else { return }
  do {
    let file = try MemoryFile.makeSealed(name: "film", bytes: input)
    try readFrames(of: try Y4MSource(file, name: "film", stop: stop), stop)
  } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
  }
}

/// The most bytes of a frame that are read: a film of large frames would only be slow.
private let largestFrame = 1 << 20

/// Reads a few frames.
private func readFrames(of source: Y4MSource, _ stop: StopSignal) throws(FrameSourceError) {
  guard let layout = try? source.geometry.ringGeometry(), layout.slotStride <= largestFrame else { return }
  let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
  defer { slot.deallocate() }
  for _ in 0..<4 {
    guard case .frame = try source.next(into: slot, layout: layout, stop: stop) else { return }
  }
}

/// Writes a header that was read, and reads it again.
private func checkHeader(_ line: [UInt8]) throws(Contradiction) {
  guard let header = try? Y4MHeader(parsing: line) else { return }
  let written = Array(header.line.utf8.dropLast())
  let again = try unfailing("a header that was written is not read") { () throws(Y4MFault) in
    try Y4MHeader(parsing: written)
  }
  try require(again.geometry == header.geometry, "a header that was written describes other frames")
}
