// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization

/// Counts the frames that a source draws outside the memory of the ring and that must be copied.
final class DrawLocationMonitor: Sendable {
  private let ring: UInt64
  private let state = Mutex(State())

  private struct State {
    /// Whether an address belongs to the ring. Reading the memory map takes longer than many frames, so
    /// results are cached.
    var addresses: [UInt: Bool] = [:]
    /// The number of frames drawn outside the ring.
    var framesDrawnOutside = 0
  }

  /// Creates a monitor for the ring with the given inode.
  init(ring: UInt64) { self.ring = ring }

  /// The number of frames drawn outside the ring.
  var framesDrawnOutside: Int { state.withLock { $0.framesDrawnOutside } }

  /// Records the address at which a frame will be drawn.
  func note(_ slot: UnsafeMutableRawBufferPointer) {
    let address = UInt(bitPattern: slot.baseAddress)
    state.withLock { state in
      let isInRing = state.addresses[address] ?? isRing(UInt64(address))
      state.addresses[address] = isInRing
      if !isInRing { state.framesDrawnOutside += 1 }
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
final class MonitoredFrameSource: FrameSource {
  private let source: any FrameSource
  private let monitor: DrawLocationMonitor

  /// Creates a source that forwards to another source.
  init(_ source: any FrameSource, _ monitor: DrawLocationMonitor) {
    self.source = source
    self.monitor = monitor
  }

  var name: String { source.name }
  var title: String { source.title }
  var geometry: FrameGeometry { source.geometry }

  func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    monitor.note(slot)
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
