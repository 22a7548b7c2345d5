// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The content of a widget bundle; here only controls.
@MainActor @preconcurrency
public protocol Widget {
  /// The declarations of the controls, in order.
  var declarations: [ControlDeclaration] { get }
}

/// The controls of a bundle.
@MainActor @preconcurrency
public struct BundledControls: Widget {
  /// The declarations of the controls, in order.
  public let declarations: [ControlDeclaration]

  init(_ declarations: [ControlDeclaration]) { self.declarations = declarations }
}

/// The result builder of a bundle.
@MainActor @resultBuilder
public enum WidgetBundleBuilder {
  /// Returns the declaration of one control.
  public static func buildExpression(_ control: some ControlWidget) -> BundledControls {
    BundledControls([control.body.declaration])
  }

  /// Returns the controls in order.
  public static func buildBlock(_ parts: BundledControls...) -> BundledControls {
    BundledControls(parts.flatMap(\.declarations))
  }
}

/// The controls of an app; Apple's name and requirements.
///
/// On Apple's systems, a bundle is a process that the system queries. Here the system reads the app's
/// manifest. A bundle that is marked with `@main` is a program that prints the `controls` member of the
/// manifest. Its first argument is the ID of the extension; an optional second argument is the ID of the
/// capture intent.
@MainActor @preconcurrency
public protocol WidgetBundle {
  /// The type of ``body``.
  associatedtype Body: Widget

  /// Creates the bundle.
  init()

  /// The content of the bundle.
  @WidgetBundleBuilder var body: Body { get }
}

extension WidgetBundle {
  /// Returns the controls as the `controls` member of `app.json`.
  public static func manifestEntries(extension identifier: String, intent: String? = nil) -> String {
    let entries = Self().body.declarations.map { $0.manifestEntry(extension: identifier, intent: intent) }
    return JSONValue.array(entries).text(.indented)
  }

  /// Prints the controls as the `controls` member of `app.json`; `@main` calls it.
  public static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let identifier = arguments.first, arguments.count <= 2 else {
      CurrentProcess.writeToStandardError(
        "an argument is missing; pass the ID of the extension that the controls launch, and optionally the ID of the intent"
      )
      CurrentProcess.end(64)
    }
    print(manifestEntries(extension: identifier, intent: arguments.dropFirst().first))
  }
}
