// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftUI
import Testing

/// A setting of an enumeration.
private enum Size: String { case small, large }

/// A view whose width is a stored value, which a tap on another view doubles.
private struct Stored: View {
  let store: UserDefaults

  var body: some View {
    HStack(spacing: 0) {
      Reader(store: store)
      Writer(store: store)
    }
  }

  struct Reader: View {
    @AppStorage private var width: Int
    init(store: UserDefaults) { _width = AppStorage(wrappedValue: 40, "width", store: store) }
    var body: some View { Color.white.frame(width: CGFloat(width), height: 20) }
  }

  struct Writer: View {
    @AppStorage private var width: Int
    init(store: UserDefaults) { _width = AppStorage(wrappedValue: 40, "width", store: store) }
    var body: some View { Color.black.frame(width: 100, height: 20).onTapGesture { width *= 2 } }
  }
}

/// Values of user defaults in views. Each test has user defaults of its own.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct AppStorageTests {
  private let store: UserDefaults
  private let name = "org.darkroom.test.\(UUID().uuidString)"

  init() throws { store = try #require(UserDefaults(suiteName: name)) }

  @Test func `evaluates each view that reads a value which another view has changed`() throws {
    defer { store.removePersistentDomain(forName: name) }
    let rig = try ViewRig(Stored(store: store))
    #expect(rig.brightArea()?.width == 40)
    try rig.tap(420, 195)
    #expect(rig.brightArea()?.width == 80 && store.integer(forKey: "width") == 80)
    // A new view has the stored value.
    #expect(try ViewRig(Stored(store: store)).brightArea()?.width == 80)
  }

  @Test func `stores each type of value, and removes an optional one`() throws {
    defer { store.removePersistentDomain(forName: name) }
    func check<Value: Equatable>(_ storage: AppStorage<Value>, _ again: AppStorage<Value>, _ value: Value) {
      #expect(storage.wrappedValue != value)
      storage.projectedValue.wrappedValue = value
      #expect(storage.wrappedValue == value && again.wrappedValue == value)
    }
    func twice<Value>(_ make: () -> AppStorage<Value>) -> (AppStorage<Value>, AppStorage<Value>) {
      (make(), make())
    }
    let bool = twice { AppStorage(wrappedValue: false, "bool", store: store) }
    check(bool.0, bool.1, true)
    bool.0.wrappedValue = false
    #expect(!bool.1.wrappedValue)
    let double = twice { AppStorage(wrappedValue: 1.5, "double", store: store) }
    check(double.0, double.1, 2.25)
    let text = twice { AppStorage(wrappedValue: "a", "text", store: store) }
    check(text.0, text.1, "ö")
    let data = twice { AppStorage(wrappedValue: Data(), "data", store: store) }
    check(data.0, data.1, Data([1, 2]))
    let size = twice { AppStorage(wrappedValue: Size.small, "size", store: store) }
    check(size.0, size.1, .large)
    let page = try #require(URL(string: "https://example.org/a?b=c"))
    let link = twice { AppStorage(wrappedValue: URL(fileURLWithPath: "/"), "link", store: store) }
    check(link.0, link.1, page)
    let count = twice { AppStorage<Int?>("count", store: store) }
    check(count.0, count.1, 3)
    count.0.wrappedValue = nil
    #expect(count.1.wrappedValue == nil && store.object(forKey: "count") == nil)
  }

  @Test func `has the initial value while the stored one has another type`() {
    defer { store.removePersistentDomain(forName: name) }
    store.set("many", forKey: "count")
    store.set("huge", forKey: "size")
    #expect(AppStorage(wrappedValue: 7, "count", store: store).wrappedValue == 7)
    #expect(AppStorage(wrappedValue: Size.small, "size", store: store).wrappedValue == .small)
  }
}
