// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

extension ScriptLine {
  /// The interval between the moves of a drag, in nanoseconds: one move for each frame of a viewfinder.
  private static let moveInterval: UInt64 = 1_000_000_000 / 60
  /// The maximum number of moves of a drag.
  private static let maximumMoves: UInt64 = 120

  /// Returns the actions of a tap: `X Y`, or `X Y for DURATION` for a long one.
  func tap(_ operands: [String]) throws(ScriptError) -> [SessionScript.Action] {
    guard operands.count == 2 || operands.count == 4 && operands[2] == "for" else {
      throw error(.operands(verb: "tap"))
    }
    let (x, y) = (try coordinate(operands[0]), try coordinate(operands[1]))
    let hold = operands.count == 4 ? [SessionScript.Action.wait(try duration(operands[3]))] : []
    return [Self.touch(.began, x, y)] + hold + [Self.touch(.ended, x, y)]
  }

  /// Returns the actions of a drag: `X Y to X Y in DURATION`.
  func drag(_ operands: [String]) throws(ScriptError) -> [SessionScript.Action] {
    guard operands.count == 7, operands[2] == "to", operands[5] == "in" else {
      throw error(.operands(verb: "drag"))
    }
    let start = (x: try coordinate(operands[0]), y: try coordinate(operands[1]))
    let end = (x: try coordinate(operands[3]), y: try coordinate(operands[4]))
    let time = try duration(operands[6])
    let count = max(1, min(Self.maximumMoves, time / Self.moveInterval))
    let moves = (1...count).flatMap { move -> [SessionScript.Action] in
      let part = Double(move) / Double(count)
      return [
        .wait(time / count),
        Self.touch(.moved, start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part),
      ]
    }
    return [Self.touch(.began, start.x, start.y)] + moves + [Self.touch(.ended, end.x, end.y)]
  }

  private static func touch(_ phase: PointerPhase, _ x: Double, _ y: Double) -> SessionScript.Action {
    .command(.pointer(PointerEvent(phase, x: x, y: y)))
  }

  /// Parses a distance from the left or the upper edge of the viewfinder's picture, in pixels.
  private func coordinate(_ word: String) throws(ScriptError) -> Double {
    guard let number = Double(word), number >= 0, number < Double(FrameRingLayout.maximumDimension) else {
      throw error(.coordinate(word))
    }
    return number
  }
}
