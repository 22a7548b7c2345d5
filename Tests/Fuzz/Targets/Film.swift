// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// Checks that reading a video ends or throws a described error, and that its header survives a round trip.
func checkVideo(_ input: [UInt8]) throws(Contradiction) {
  if let end = input.firstIndex(of: UInt8(ascii: "\n")) { try checkHeader(Array(input[..<end])) }
  guard let stop = try? StopSignal() else { return }
  do {
    let file = try MemoryFile.makeSealed(name: "film", bytes: input)
    try readFrames(of: try Y4MSource(file, name: "film", stop: stop), stop)
  } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
  }
}

/// The maximum size of a frame in bytes; larger frames would only make fuzzing slow.
private let maximumFrameBytes = 1 << 20

/// Reads up to four frames.
private func readFrames(of source: Y4MSource, _ stop: StopSignal) throws(FrameSourceError) {
  guard let layout = try? source.geometry.ringGeometry(), layout.slotStride <= maximumFrameBytes else {
    return
  }
  let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
  defer { slot.deallocate() }
  for _ in 0..<4 {
    guard case .frame = try source.next(into: slot, layout: layout, stop: stop) else { return }
  }
}

/// Checks that a parsed header survives a round trip.
private func checkHeader(_ line: [UInt8]) throws(Contradiction) {
  guard let header = try? Y4MHeader(parsing: line) else { return }
  let written = Array(header.line.utf8.dropLast())
  let again = try requireSuccess("a header that was written is not read") { () throws(Y4MFault) in
    try Y4MHeader(parsing: written)
  }
  try require(again.geometry == header.geometry, "a header that was written describes other frames")
}
