// SPDX-License-Identifier: Apache-2.0

import KeyInput
import SessionServices
import SessionStore
import Testing

@Suite struct KeyTriggersTests {
  private static let millisecond: UInt64 = 1_000_000
  private let power = DeviceKey(device: 1, code: .power)
  private let camera = DeviceKey(device: 1, code: .camera)
  private let cover = DeviceKey(device: 1, code: .lensCover)

  @Test func `fires when a bound key goes down and for no other key`() {
    var triggers = KeyTriggers([KeyTrigger(.camera)])
    #expect(triggers.codes == [.camera])
    #expect(triggers.fired(by: .down(camera, time: 1)) == KeyTrigger(.camera))
    #expect(triggers.fired(by: .repeated(camera)) == nil)
    #expect(triggers.fired(by: .up(camera, time: 2)) == nil)
    #expect(triggers.fired(by: .down(power, time: 3)) == nil)
  }

  @Test func `a double press is two presses of one key within half a second and a third starts over`() {
    let double = KeyTrigger(.power, .double)
    var triggers = KeyTriggers([double])
    let moments = [0, 600, 1100, 1200, 1700].map { $0 * Self.millisecond }
    let fired = moments.map { triggers.fired(by: .down(power, time: $0)) }
    #expect(fired == [nil, nil, double, nil, double])
    #expect(triggers.fired(by: .down(power, time: 2000 * Self.millisecond)) == nil)
    let other = DeviceKey(device: 2, code: .power)
    #expect(triggers.fired(by: .down(other, time: 2001 * Self.millisecond)) == nil)
  }

  @Test func `forgets the first press if its device is removed or another event intervenes`() {
    let double = KeyTrigger(.power, .double)
    var triggers = KeyTriggers([double])
    _ = triggers.fired(by: .down(power, time: 1))
    _ = triggers.fired(by: .lost(power))
    #expect(triggers.fired(by: .down(power, time: 2)) == nil)
    triggers.forget()
    #expect(triggers.fired(by: .down(power, time: 3)) == nil)
    #expect(triggers.fired(by: .down(power, time: 4)) == double)
  }

  @Test func `fires when the lens cover is opened`() {
    var triggers = KeyTriggers([KeyTrigger(.lensCover)])
    #expect(triggers.fired(by: .down(cover, time: 1)) == nil)
    #expect(triggers.fired(by: .up(cover, time: 2)) == KeyTrigger(.lensCover))
  }

  @Test func `parses keys by their kernel names`() {
    #expect(KeyTrigger("KEY_CAMERA") == KeyTrigger(.camera))
    #expect(KeyTrigger("KEY_POWER:double") == KeyTrigger(.power, .double))
    #expect(KeyTrigger("SW_CAMERA_LENS_COVER") == KeyTrigger(.lensCover))
    for wrong in ["", "CAMERA", "KEY_CAMERA:", "KEY_CAMERA:triple", "SW_CAMERA_LENS_COVER:double"] {
      #expect(KeyTrigger(wrong) == nil, "\(wrong)")
    }
  }
}
