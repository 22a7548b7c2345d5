// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension Double: Interpolatable {
  func interpolated(to other: Double, _ share: Double) -> Double { self + (other - self) * share }
}

extension SIMD2<Double>: Interpolatable {
  func interpolated(to other: Vector, _ share: Double) -> Vector { self + (other - self) * share }
}

extension Color: Interpolatable {
  func interpolated(to other: Color, _ share: Double) -> Color {
    let value = components + (other.components - components) * share
    return Color(red: value.x, green: value.y, blue: value.z, opacity: value.w)
  }
}

extension Paint: Interpolatable {
  /// Returns a color between two colors; a gradient is replaced at once.
  func interpolated(to other: Paint, _ share: Double) -> Paint {
    guard case .color(let first) = self, case .color(let second) = other else { return other }
    return .color(first.interpolated(to: second, share))
  }
}
