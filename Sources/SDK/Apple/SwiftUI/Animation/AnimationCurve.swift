// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The share of a change over time, without repetitions.
enum AnimationCurve: Hashable, Sendable {
  /// A cubic Bézier curve from (0, 0) to (1, 1) with two control points, and a duration in seconds.
  case bezier(Vector, Vector, duration: Double)
  /// A damped oscillation around 1, with an angular frequency in radians per second.
  case spring(frequency: Double, damping: Double)

  /// The seconds until the change is complete; a spring then is within a thousandth.
  var duration: Double {
    switch self {
    case .bezier(_, _, let duration): duration
    case .spring(let frequency, let damping): (damping < 1 ? 7 / damping : 9) / frequency
    }
  }

  /// Returns the share of the change after some seconds; springs exceed 1.
  func share(at seconds: Double) -> Double {
    switch self {
    case .bezier(let start, let end, let duration): Self.bezier(start, end, at: seconds / duration)
    case .spring(let frequency, let damping): Self.spring(frequency * seconds, damping)
    }
  }

  private static func spring(_ angle: Double, _ damping: Double) -> Double {
    // Stronger damping only delays the end.
    guard damping < 1 else { return 1 - exp(-angle) * (1 + angle) }
    let frequency = (1 - damping * damping).squareRoot()
    let oscillation = cos(frequency * angle) + damping / frequency * sin(frequency * angle)
    return 1 - exp(-damping * angle) * oscillation
  }

  /// Returns the vertical position of the point of a curve with a horizontal position.
  private static func bezier(_ start: Vector, _ end: Vector, at position: Double) -> Double {
    func point(_ share: Double) -> Vector {
      let rest = 1 - share
      return start * (3 * rest * rest * share) + end * (3 * rest * share * share)
        + Vector(repeating: share * share * share)
    }
    // The horizontal position grows with the share; 20 halvings find it within a millionth.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<20 {
      let middle = (low + high) / 2
      if point(middle).x < position { low = middle } else { high = middle }
    }
    return point((low + high) / 2).y
  }
}
