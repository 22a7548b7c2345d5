// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol

/// A control for one of several things, by number from 0; Apple's class.
public final class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
  /// Makes a picker whose things are shown as numbers.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - numberOfIndexes: How many things there are, 1 to 256.
  public convenience init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
    self.init(
      localizedTitle,
      symbolName: symbolName,
      numberOfIndexes: numberOfIndexes,
      localizedTitleTransform: { "\($0)" }
    )
  }

  /// Makes a picker whose things have titles that are made from their numbers, at once.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - numberOfIndexes: How many things there are, 1 to 256.
  ///   - localizedTitleTransform: What people call the thing of a number.
  public convenience init(
    _ localizedTitle: String,
    symbolName: String,
    numberOfIndexes: Int,
    localizedTitleTransform: (Int) -> String
  ) {
    precondition(numberOfIndexes > 0, "a picker picks one of at least 1 thing, not of \(numberOfIndexes)")
    self.init(
      localizedTitle,
      symbolName: symbolName,
      localizedIndexTitles: (0..<numberOfIndexes).map(localizedTitleTransform)
    )
  }

  /// Makes a picker whose things have titles.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - localizedIndexTitles: What people call the things, 1 to 256.
  public init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
    precondition(!localizedIndexTitles.isEmpty, "a picker picks one of at least 1 thing, not of 0")
    super.init(localizedTitle, symbolName, .picker(titles: localizedIndexTitles), value: 0)
  }

  /// What people call it.
  public var localizedTitle: String { title }

  /// The name of its picture.
  public var symbolName: String { picture }

  /// How many things there are.
  public var numberOfIndexes: Int { localizedIndexTitles.count }

  /// What people call the things.
  public var localizedIndexTitles: [String] {
    guard case .picker(let titles) = choices else { preconditionFailure("a picker has titles") }
    return titles
  }

  /// The number of the thing that is picked, from 0; setting it picks another, and calls no action.
  public var selectedIndex: Int {
    get { Int(rawValue) }
    set { rawValue = Double(newValue) }
  }

  /// What tests and scripts call it; nil: as its title.
  public var accessibilityIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }

  /// Calls `action` in `actionQueue` with the number of the thing that the person has picked.
  ///
  /// The queue is a serial one; with the main queue it is the main thread.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {
    setAction(ControlAction(actionQueue) { action(Int($0)) })
  }
}
