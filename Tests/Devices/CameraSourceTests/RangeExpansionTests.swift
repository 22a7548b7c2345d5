// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import CameraSource

@Suite struct RangeExpansionTests {
  @Test func `expands limited-range luma and chroma to full range by the BT 601 formula`() throws {
    let geometry = FrameGeometry(width: 256, height: 2, range: .limited)
    let slot = try TestSlot(geometry)
    for (index, plane) in slot.layout.planes.enumerated() {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes {
          slot.bytes[plane.offset + row * plane.stride + column] = UInt8(index == 0 ? column : 2 * column)
        }
      }
    }
    RangeExpansion.expand(slot.bytes, layout: slot.layout)
    for value in 0..<256 {
      let expected = min(255, max(0, (Double(value - 16) * 255 / 219).rounded()))
      #expect(abs(Double(slot.planes[0][value]) - expected) <= 0.5)
    }
    for sample in 0..<128 {
      let expected = min(255, max(0, 128 + (Double(2 * sample - 128) * 255 / 224).rounded()))
      #expect(abs(Double(slot.planes[1][sample]) - expected) <= 0.5)
    }
    #expect(slot.planes[0][16] == 0 && slot.planes[0][235] == 255 && slot.planes[1][64] == 128)
  }
}
