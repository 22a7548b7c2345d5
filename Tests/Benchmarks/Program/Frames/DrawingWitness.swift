// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization

/// Counts the frames that a source draws outside the memory of the ring and that must be copied.
final class DrawingWitness: Sendable {
  private let ring: UInt64
  private let seen = Mutex(Seen())

  private struct Seen {
    /// Whether an address belongs to the ring. Reading the memory map takes longer than many frames, so
    /// results are cached.
    var places: [UInt: Bool] = [:]
    /// The number of frames drawn outside the ring.
    var drawnElsewhere = 0
  }

  /// Creates a monitor for the ring with the given inode.
  init(ring: UInt64) { self.ring = ring }

  /// The number of frames drawn outside the ring.
  var drawnElsewhere: Int { seen.withLock { $0.drawnElsewhere } }

  /// Records the address at which a frame will be drawn.
  func note(_ slot: UnsafeMutableRawBufferPointer) {
    let place = UInt(bitPattern: slot.baseAddress)
    seen.withLock { seen in
      let isInRing = seen.places[place] ?? isRing(UInt64(place))
      seen.places[place] = isInRing
      if !isInRing { seen.drawnElsewhere += 1 }
    }
  }

  /// Whether an address of this process is mapped from the ring (/proc/self/maps).
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

/// A frame source with a monitor.
final class WitnessedSource: FrameSource {
  private let source: any FrameSource
  private let witness: DrawingWitness

  /// Creates a source that forwards to another source.
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

/// The number of bytes transferred by system calls.
enum TransferredBytes {
  /// Returns the bytes that this process has read and written by system calls (`rchar` and `wchar` of
  /// proc(5)).
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
