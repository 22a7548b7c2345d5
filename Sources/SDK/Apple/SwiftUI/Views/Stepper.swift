// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A control with a button that decreases a value, and another one that increases it; SwiftUI's name.
public struct Stepper<Label: View>: View {
  private let label: Label
  private let increase: (@MainActor () -> Void)?
  private let decrease: (@MainActor () -> Void)?

  /// Creates a control with a label and actions; a button without an action is disabled.
  public init(
    @ViewBuilder label: () -> Label,
    onIncrement: (@MainActor () -> Void)?,
    onDecrement: (@MainActor () -> Void)?
  ) {
    self.label = label()
    (increase, decrease) = (onIncrement, onDecrement)
  }

  /// Creates a control for a value in a range, with a label.
  public init<Value: Strideable & Sendable>(
    value: Binding<Value>,
    in range: ClosedRange<Value>,
    step: Value.Stride = 1,
    @ViewBuilder label: () -> Label
  ) where Value.Stride: Sendable {
    func move(_ distance: Value.Stride) -> @MainActor () -> Void {
      {
        let moved = value.wrappedValue.advanced(by: distance)
        value.wrappedValue = min(max(moved, range.lowerBound), range.upperBound)
      }
    }
    let current = value.wrappedValue
    self.label = label()
    increase = current < range.upperBound ? move(step) : nil
    decrease = current > range.lowerBound ? move(0 - step) : nil
  }

  /// The label and the buttons.
  public var body: some View {
    HStack {
      label
      Spacer()
      button("minus", decrease)
      button("plus", increase)
    }
  }

  private func button(_ symbol: String, _ action: (@MainActor () -> Void)?) -> some View {
    Button {
      action?()
    } label: {
      Image(systemName: symbol)
    }
    .buttonStyle(.bordered)
    .disabled(action == nil)
  }
}

extension Stepper where Label == Text {
  /// Creates a control for a value in a range, with a title.
  public init<Value: Strideable & Sendable>(
    _ title: some StringProtocol,
    value: Binding<Value>,
    in range: ClosedRange<Value>,
    step: Value.Stride = 1
  ) where Value.Stride: Sendable {
    self.init(value: value, in: range, step: step) { Text(String(title)) }
  }

  /// Creates a control with a title and actions; a button without an action is disabled.
  public init(
    _ title: some StringProtocol,
    onIncrement: (@MainActor () -> Void)?,
    onDecrement: (@MainActor () -> Void)?
  ) {
    self.init(label: { Text(String(title)) }, onIncrement: onIncrement, onDecrement: onDecrement)
  }
}
