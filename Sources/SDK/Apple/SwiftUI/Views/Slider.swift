// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A control for a value in a range; SwiftUI's name.
public struct Slider<Value: BinaryFloatingPoint>: View {
  @Binding private var value: Value
  private let range: ClosedRange<Value>
  private let step: Value?
  private let ends: (minimum: AnyView, maximum: AnyView)?
  private let onEditingChanged: @MainActor (Bool) -> Void
  @Environment(\.style) private var style

  /// Creates a control.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - range: The range of the value; the lower limit is at the left.
  ///   - step: The distance between values, or `nil` for any value.
  ///   - onEditingChanged: Receives `true` for each change by a contact, and `false` when the contact ends.
  public init(
    value: Binding<Value>,
    in range: ClosedRange<Value> = 0...1,
    step: Value? = nil,
    onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
  ) {
    _value = value
    (self.range, self.step, self.onEditingChanged) = (range, step, onEditingChanged)
    ends = nil
  }

  /// Creates a control with a label, which is not drawn.
  public init(
    value: Binding<Value>,
    in range: ClosedRange<Value> = 0...1,
    step: Value? = nil,
    @ViewBuilder label: () -> some View
  ) {
    self.init(value: value, in: range, step: step)
  }

  /// Creates a control with views at its ends.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - range: The range of the value; the lower limit is at the left.
  ///   - step: The distance between values, or `nil` for any value.
  ///   - label: The purpose of the control, which is not shown.
  ///   - minimumValueLabel: The view at the left.
  ///   - maximumValueLabel: The view at the right.
  ///   - onEditingChanged: Receives `true` for each change by a contact, and `false` when the contact ends.
  public init<Label: View, ValueLabel: View>(
    value: Binding<Value>,
    in range: ClosedRange<Value> = 0...1,
    step: Value? = nil,
    @ViewBuilder label: () -> Label,
    @ViewBuilder minimumValueLabel: () -> ValueLabel,
    @ViewBuilder maximumValueLabel: () -> ValueLabel,
    onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
  ) {
    _value = value
    (self.range, self.step, self.onEditingChanged) = (range, step, onEditingChanged)
    ends = (AnyView(minimumValueLabel()), AnyView(maximumValueLabel()))
  }

  /// A line with a knob, between the views at its ends.
  public var body: some View {
    HStack {
      if let ends { ends.minimum }
      track
      if let ends { ends.maximum }
    }
  }

  private var track: some View {
    GeometryReader { space in
      let length = max(1, space.size.width - 28)
      let extent = range.upperBound - range.lowerBound
      let share = extent > 0 ? Double((value - range.lowerBound) / extent) : 0
      ZStack(alignment: .leading) {
        Capsule().fill(Color(white: 0.5, opacity: 0.6)).frame(height: 4)
        Capsule().fill(style.tint).frame(width: 14 + length * share, height: 4)
        Circle().fill(.white).frame(width: 28, height: 28).offset(x: length * share)
      }
      .gesture(
        DragGesture(minimumDistance: 0)
          .onChanged { set(Double($0.location.x - 14) / length, isEditing: true) }
          .onEnded { set(Double($0.location.x - 14) / length, isEditing: false) }
      )
    }
    .frame(height: 28)
  }

  private func set(_ share: Double, isEditing: Bool) {
    var value = range.lowerBound + Value(min(max(share, 0), 1)) * (range.upperBound - range.lowerBound)
    if let step, step > 0 { value = range.lowerBound + ((value - range.lowerBound) / step).rounded() * step }
    self.value = min(max(value, range.lowerBound), range.upperBound)
    onEditingChanged(isEditing)
  }
}
