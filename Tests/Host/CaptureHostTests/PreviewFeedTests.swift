// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@testable import CaptureHost

/// The host side of a viewfinder feed; the test plays the extension.
@Suite struct PreviewFeedTests {
  /// A frame is larger than the capacity of a pipe, so that it cannot be written at once.
  private static let layout = FrameGeometry(width: 320, height: 240)

  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  /// The extension's side of a feed.
  private struct Extension: ~Copyable {
    let geometry: FrameRingGeometry
    let memory: Mapping
    let event: Descriptor

    init(_ feed: PreviewFeed, _ geometry: FrameRingGeometry) throws {
      let (ring, counter) = (feed.descriptors[0].descriptor, feed.descriptors[1].descriptor)
      let memory = try Mapping(try Descriptor.duplicate(of: ring), length: geometry.totalBytes, .readWrite)
      let event = try Descriptor.duplicate(of: counter)
      self.geometry = geometry
      self.memory = memory
      self.event = event
    }

    /// Publishes a frame whose bytes have one value.
    func show(_ value: UInt8, _ sequence: UInt64, taken: UInt64 = MonotonicClock.now) throws {
      let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
      let slot = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[start..<start + geometry.slotStride])
      for index in 64..<slot.count { slot[index] = value }
      slot.storeBytes(of: taken.littleEndian, toByteOffset: 8, as: UInt64.self)
      SharedWord(in: slot, at: 0).store(sequence.littleEndian)
      SharedWord(in: memory.bytes, at: 128).store(sequence.littleEndian)
      try EventCounter.add(to: event)
    }

    /// The sequence number of the frame that the host is showing.
    var held: UInt64 { SharedWord(in: memory.bytes, at: 136).load() }
  }

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  /// Reads a pipe until the feed has nothing more to write, and returns the last frame.
  private func drain(_ pipe: borrowing Descriptor, _ feed: PreviewFeed) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var all: [UInt8] = []
    while true {
      let isWaiting = feed.writable != nil
      while case .bytes(let count) = try pipe.read(into: buffer) { all += buffer[..<count] }
      guard isWaiting else { return Array(all.suffix(320 * 240 * 3 / 2)) }
      feed.flush()
    }
  }

  @Test(arguments: [false, true])
  func `holds a frame until the viewer has read all of it and counts frames overwritten meanwhile`(
    isDrawnOver: Bool
  ) throws {
    let pipe = path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let geometry = try Self.layout.ringGeometry()
    let feed = try PreviewFeed.make(geometry, showing: try PreviewStreamWriter(pipe, Self.layout))
    let reader = try FileSystem.open(pipe, [.read, .nonBlocking])
    let viewfinder = try Extension(feed, geometry)
    try viewfinder.show(1, 1)
    #expect(feed.readable(at: .max) != nil)
    #expect(try feed.take(at: 1, lead: 0))
    #expect(viewfinder.held == 1 && feed.writable != nil)
    // The camera and the extension continue in the other slots.
    for number in 2...4 { try viewfinder.show(UInt8(number), UInt64(number)) }
    if isDrawnOver { try viewfinder.show(5, 5) }
    #expect(viewfinder.held == 1 && feed.readable(at: .max) == nil)
    let pixels = try drain(reader, feed)
    #expect(viewfinder.held == 0)
    #expect(feed.torn == (isDrawnOver ? 1 : 0))
    #expect(pixels.last == (isDrawnOver ? 5 : 1) && pixels.first == 1)
    #expect(feed.recordedLatency?.torn == (isDrawnOver ? 1 : 0))
    // Next is the newest frame; those between are skipped.
    #expect(try feed.take(at: .max, lead: 0))
    #expect(try drain(reader, feed).allSatisfy { $0 == (isDrawnOver ? 5 : 4) })
    #expect(feed.recordedLatency?.frames == 2 && feed.torn == (isDrawnOver ? 1 : 0))
  }

  @Test func `records no latency without a viewer and reads only the first frame`() throws {
    let geometry = try Self.layout.ringGeometry()
    let feeds = [
      try PreviewFeed.make(geometry, showing: nil),
      // /dev/full behaves like a full disk.
      try PreviewFeed.make(geometry, showing: try PreviewStreamWriter("/dev/full", Self.layout)),
    ]
    for feed in feeds {
      let viewfinder = try Extension(feed, geometry)
      try viewfinder.show(1, 1)
      #expect(try feed.take(at: 1, lead: 0))
      #expect(feed.readable(at: .max) == nil && viewfinder.held == 0)
      try viewfinder.show(2, 2)
      feed.finish(lead: 0)
      #expect(feed.recordedLatency == nil && viewfinder.held == 0)
    }
  }

  @Test(
    arguments: [
      (.max, 0), (1 << 63, 0), (.max, .min), (.max, -1_000_000_000), (0, .min), (0, 7_200_000_000_000),
      (MonotonicClock.now &- 7_200_000_000_000, 0),
    ] as [(UInt64, Int64)]
  )
  func `ignores an implausible capture time`(taken: UInt64, lead: Int64) throws {
    let geometry = try Self.layout.ringGeometry()
    let feed = try PreviewFeed.make(geometry, showing: try PreviewStreamWriter(path("film"), Self.layout))
    let viewfinder = try Extension(feed, geometry)
    try viewfinder.show(1, 1, taken: taken)
    #expect(try feed.take(at: 1, lead: lead))
    #expect(feed.recordedLatency == nil)
    try viewfinder.show(2, 2)
    #expect(try feed.take(at: 1, lead: 0))
    #expect(feed.recordedLatency?.frames == 1)
  }
}
