// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import Testing

@testable import CaptureHost
@testable import DarkroomHost

@Suite struct SessionInputTests {
  private static let press = SessionCommand.capture(CaptureEvent(.primary, .began))
  private static let release = SessionCommand.capture(CaptureEvent(.primary, .ended))

  private static func move(_ x: Double) -> SessionCommand { .pointer(PointerEvent(.moved, x: x, y: 0)) }

  @Test func `discards inputs while a session handles none, and keeps its end`() throws {
    let input = try SessionInput()
    #expect((1..<SessionInput.maximumCount).allSatisfy { _ in input.add(Self.press) })
    // A tap is added completely, or not at all.
    #expect(!input.add(Self.press, Self.release))
    #expect(input.add(Self.move(1)))
    #expect(!input.add(Self.release))
    #expect(input.add(Self.move(2)))
    for _ in 0..<3 { input.end(.dismiss) }
    input.end(.quit)
    input.end(.dismiss)
    let taken = input.take()
    let presses = [SessionCommand](repeating: Self.press, count: SessionInput.maximumCount - 1)
    #expect(taken == presses + [Self.move(2), .quit])
    #expect(input.add(Self.press))
    #expect(input.take() == [Self.press])
  }
}
