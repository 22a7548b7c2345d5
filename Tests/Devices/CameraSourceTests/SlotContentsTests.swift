// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Testing

@Suite struct SlotContentsTests {
  @Test func `draws the same pattern into a reused slot as into new memory`() throws {
    let (source, fresh) = (try open("pattern:130x97"), try open("pattern:130x97"))
    let slots = try (0..<4).map { _ in try TestSlot(source.geometry) }
    for number in 0..<40 {
      let slot = slots[number % 4]
      let expected = try TestSlot(source.geometry)
      _ = try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal())
      // Forgets the earlier frame, so that the source draws the full pattern into the new slot.
      fresh.slotsWereErased()
      _ = try fresh.next(into: expected.bytes, layout: expected.layout, stop: StopSignal())
      #expect(slot.pixels == expected.pixels, "frame \(number + 1)")
    }
  }

  @Test(arguments: [0, 5_000_000_000, -1_000_000] as [Int64])
  func `stamps a frame with its capture and publication times on the clock of the reader`(lead: Int64)
    throws
  {
    let ring = try FrameRing.make(FrameGeometry(width: 64, height: 32).ringGeometry(), clockOffset: lead)
    let memory = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .read)
    _ = ring.beginFrame()
    let taken = MonotonicClock.now
    ring.publish(timestamp: taken)
    let after = MonotonicClock.now
    let slot = ring.geometry.offset(ofSlot: 0)
    func moment(_ place: Int) -> UInt64 {
      SharedWord(in: memory.bytes, at: slot + place).load() &- UInt64(bitPattern: lead)
    }
    #expect(moment(FrameRingLayout.Slot.timestamp) == taken)
    #expect((taken...after).contains(moment(FrameRingLayout.Slot.published)))
    #expect(ring.readerClockLead == lead)
  }
}
