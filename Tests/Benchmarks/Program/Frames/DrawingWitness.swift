// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization

/// Sees where a source draws: in the ring's own memory, or somewhere from where the frame has to be copied.
final class DrawingWitness: Sendable {
  private let ring: UInt64
  private let seen = Mutex(Seen())

  private struct Seen {
    /// Whether a place is the ring's. Reading the map of the process takes longer than many a frame, so once is enough.
    var places: [UInt: Bool] = [:]
    /// How many frames were drawn at another.
    var drawnElsewhere = 0
  }

  /// Knows the ring by its file.
  init(ring: UInt64) { self.ring = ring }

  /// How many frames were drawn elsewhere.
  var drawnElsewhere: Int { seen.withLock { $0.drawnElsewhere } }

  /// Looks where a frame is to be drawn.
  func note(_ slot: UnsafeMutableRawBufferPointer) {
    let place = UInt(bitPattern: slot.baseAddress)
    seen.withLock { seen in
      let isInRing = seen.places[place] ?? isRing(UInt64(place))
      seen.places[place] = isInRing
      if !isInRing { seen.drawnElsewhere += 1 }
    }
  }

  /// Whether a page of this process is one of the ring (/proc/self/maps).
  private func isRing(_ address: UInt64) -> Bool {
    let maps = String(decoding: ((try? FileSystem.contents("/proc/self/maps")) ?? nil) ?? [], as: UTF8.self)
    for line in maps.split(separator: "\n") {
      let words = line.split(separator: " ")
      let ends = (words.first ?? "").split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard words.count > 4, ends.count == 2, (ends[0]..<ends[1]).contains(address) else { continue }
      return UInt64(words[4]) == ring
    }
    return false
  }
}

/// A source with a witness.
final class WitnessedSource: FrameSource {
  private let source: any FrameSource
  private let witness: DrawingWitness

  /// Stands before another source.
  init(_ source: any FrameSource, _ witness: DrawingWitness) {
    self.source = source
    self.witness = witness
  }

  var name: String { source.name }
  var title: String { source.title }
  var geometry: FrameGeometry { source.geometry }

  func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    witness.note(slot)
    return try source.next(into: slot, layout: layout, stop: stop)
  }

  func slotsWereErased() { source.slotsWereErased() }
}

/// What has gone through the kernel as bytes.
enum TransferredBytes {
  /// What this process has read and written by system calls (`rchar` and `wchar` of proc(5)).
  static func ofThisProcess() throws -> UInt64 {
    let text = String(decoding: try FileSystem.contents("/proc/self/io") ?? [], as: UTF8.self)
    return text.split(separator: "\n")
      .reduce(0) { sum, line in
        let words = line.split(separator: " ")
        guard words.count == 2, ["rchar:", "wchar:"].contains(words[0]) else { return sum }
        return sum + (UInt64(words[1]) ?? 0)
      }
  }
}
