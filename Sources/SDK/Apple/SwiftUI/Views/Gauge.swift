// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A value in a range, drawn as a bar or a ring; SwiftUI's name.
public struct Gauge<Label: View, CurrentValueLabel: View>: View {
  private let share: Double
  private let label: Label
  private let valueLabel: CurrentValueLabel
  @Environment(\.gaugeStyle) private var gaugeStyle
  @Environment(\.style) private var style

  /// Creates a view of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bounds: The range of the value; the lower limit is at the left.
  ///   - label: The purpose of the value.
  ///   - currentValueLabel: The view that shows the value.
  public init<Value: BinaryFloatingPoint>(
    value: Value,
    in bounds: ClosedRange<Value> = 0...1,
    @ViewBuilder label: () -> Label,
    @ViewBuilder currentValueLabel: () -> CurrentValueLabel
  ) {
    let length = Double(bounds.upperBound - bounds.lowerBound)
    let share = length > 0 ? Double(value - bounds.lowerBound) / length : 0
    self.share = share.isFinite ? min(max(share, 0), 1) : 0
    (self.label, valueLabel) = (label(), currentValueLabel())
  }

  /// The labels with the bar or the ring.
  public var body: some View {
    if gaugeStyle.isRing {
      ring
    } else {
      VStack(alignment: .leading, spacing: 4) {
        HStack {
          label
          Spacer()
          valueLabel
        }
        GeometryReader { space in
          ZStack(alignment: .leading) {
            Capsule().fill(Color(white: 0.5, opacity: 0.6))
            Circle().fill(style.tint).frame(width: 8, height: 8).offset(x: share * (space.size.width - 8))
          }
        }
        .frame(height: 8)
      }
    }
  }

  /// Three quarters of a ring.
  private var ring: some View {
    let line = StrokeStyle(lineWidth: 6, lineCap: .round)
    return ZStack {
      Circle().trim(from: 0, to: 0.75).stroke(Color(white: 0.5, opacity: 0.6), style: line)
        .rotationEffect(.degrees(135))
      Circle().trim(from: 0, to: 0.75 * share).stroke(style.tint, style: line).rotationEffect(.degrees(135))
      valueLabel
    }
    .padding(3)
    .frame(width: 56, height: 56)
    .overlay(alignment: .bottom) { label.font(.caption) }
  }
}

extension Gauge where CurrentValueLabel == EmptyView {
  /// Creates a view of a value without a view that shows the value as text.
  public init<Value: BinaryFloatingPoint>(
    value: Value,
    in bounds: ClosedRange<Value> = 0...1,
    @ViewBuilder label: () -> Label
  ) {
    self.init(value: value, in: bounds, label: label) { EmptyView() }
  }
}

/// The appearance of gauges; SwiftUI's name.
public struct GaugeStyle: Hashable, Sendable {
  /// Whether the gauge is a ring.
  let isRing: Bool

  /// A bar with a mark.
  public static let automatic = GaugeStyle(isRing: false)
  /// A bar with a mark.
  public static let linearCapacity = automatic
  /// A bar with a mark.
  public static let accessoryLinear = automatic
  /// A bar with a mark.
  public static let accessoryLinearCapacity = automatic
  /// A ring.
  public static let accessoryCircular = GaugeStyle(isRing: true)
  /// A ring.
  public static let accessoryCircularCapacity = accessoryCircular
}

/// The key of the appearance of gauges.
private struct GaugeStyleKey: EnvironmentKey {
  static let defaultValue = GaugeStyle.automatic
}

extension EnvironmentValues {
  /// The appearance of gauges.
  fileprivate(set) var gaugeStyle: GaugeStyle {
    get { self[GaugeStyleKey.self] }
    set { self[GaugeStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of gauges in the view.
  public func gaugeStyle(_ style: GaugeStyle) -> some View { environment(\.gaugeStyle, style) }
}
