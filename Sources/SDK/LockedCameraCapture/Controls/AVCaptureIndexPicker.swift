// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol

/// A control that selects one of several items by its index; Apple's class.
public final class AVCaptureIndexPicker: AVCaptureControl, @unchecked Sendable {
  /// Creates a picker that shows the indexes of its items.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - numberOfIndexes: The number of items, 1 to 256.
  public convenience init(_ localizedTitle: String, symbolName: String, numberOfIndexes: Int) {
    self.init(
      localizedTitle,
      symbolName: symbolName,
      numberOfIndexes: numberOfIndexes,
      localizedTitleTransform: { "\($0)" }
    )
  }

  /// Creates a picker whose item titles are derived from the indexes, immediately.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - numberOfIndexes: The number of items, 1 to 256.
  ///   - localizedTitleTransform: Returns the title of the item at an index.
  public convenience init(
    _ localizedTitle: String,
    symbolName: String,
    numberOfIndexes: Int,
    localizedTitleTransform: (Int) -> String
  ) {
    precondition(numberOfIndexes > 0, "a picker must have at least 1 item, not \(numberOfIndexes)")
    self.init(
      localizedTitle,
      symbolName: symbolName,
      localizedIndexTitles: (0..<numberOfIndexes).map(localizedTitleTransform)
    )
  }

  /// Creates a picker with the given item titles.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - localizedIndexTitles: The titles of the items, 1 to 256.
  public init(_ localizedTitle: String, symbolName: String, localizedIndexTitles: [String]) {
    precondition(!localizedIndexTitles.isEmpty, "a picker must have at least 1 item, not 0")
    super.init(localizedTitle, symbolName, .picker(titles: localizedIndexTitles), value: 0)
  }

  /// The title.
  public var localizedTitle: String { title }

  /// The name of the symbol.
  public var symbolName: String { symbol }

  /// The number of items.
  public var numberOfIndexes: Int { localizedIndexTitles.count }

  /// The titles of the items.
  public var localizedIndexTitles: [String] {
    guard case .picker(let titles) = choices else { preconditionFailure("a picker has titles") }
    return titles
  }

  /// The index of the selected item, from 0; setting it selects another item, and runs no action.
  public var selectedIndex: Int {
    get { Int(rawValue) }
    set { rawValue = Double(newValue) }
  }

  /// The identifier for tests and scripts, or `nil` to derive it from the title.
  public var accessibilityIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }

  /// Sets an action that runs after the user has selected an item.
  ///
  /// - Parameters:
  ///   - actionQueue: The serial queue on which the action runs; the main queue uses the main thread.
  ///   - action: Receives the index of the selected item.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Int) -> Void) {
    setAction(ControlAction(actionQueue) { action(Int($0)) })
  }
}
