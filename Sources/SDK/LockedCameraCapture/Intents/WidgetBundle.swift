// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What a bundle of widgets is made of; here that is controls, and nothing else.
@MainActor @preconcurrency
public protocol Widget {
  /// The controls as values, in their order.
  var declarations: [ControlDeclaration] { get }
}

/// The controls of a bundle.
@MainActor @preconcurrency
public struct BundledControls: Widget {
  /// The controls as values, in their order.
  public let declarations: [ControlDeclaration]

  init(_ declarations: [ControlDeclaration]) { self.declarations = declarations }
}

/// Puts controls into a bundle.
@MainActor @resultBuilder
public enum WidgetBundleBuilder {
  /// One control.
  public static func buildExpression(_ control: some ControlWidget) -> BundledControls {
    BundledControls([control.body.declaration])
  }

  /// The controls in their order.
  public static func buildBlock(_ parts: BundledControls...) -> BundledControls {
    BundledControls(parts.flatMap(\.declarations))
  }
}

/// The controls of an app; Apple's name and shape, and there a process that the system asks.
///
/// Here the system reads the app's manifest. A type that is marked with `@main` is a program that prints what belongs
/// there: `controls`, for the extension whose id is its first argument, and the capture intent whose id is the second, if
/// there is one.
@MainActor @preconcurrency
public protocol WidgetBundle {
  /// What the bundle consists of.
  associatedtype Body: Widget

  /// Makes it.
  init()

  /// What the bundle consists of.
  @WidgetBundleBuilder var body: Body { get }
}

extension WidgetBundle {
  /// The controls as `controls` in `app.json`.
  public static func manifestEntries(extension identifier: String, intent: String? = nil) -> String {
    let entries = Self().body.declarations.map { $0.manifestEntry(extension: identifier, intent: intent) }
    return JSONValue.array(entries).text(.indented)
  }

  /// Prints the controls as `controls` in `app.json`; `@main` calls it.
  public static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let identifier = arguments.first, arguments.count <= 2 else {
      CurrentProcess.complain(
        "write the id of the extension that the controls launch, and the id of the intent if there is one"
      )
      CurrentProcess.end(64)
    }
    print(manifestEntries(extension: identifier, intent: arguments.dropFirst().first))
  }
}
