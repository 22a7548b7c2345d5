// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

/// `darkroom control`: lists, presses and binds the controls of the installed apps.
package enum ControlCommand: CommandGroup {
  package static let commands: CommandList = [
    "list": ControlListCommand.self, "press": ControlPressCommand.self, "bind": ControlBindCommand.self,
    "unbind": ControlUnbindCommand.self,
    "bindings": ControlBindingsCommand.self, "listen": ControlListenCommand.self,
  ]

  package static let spec = CommandSpec(
    "control",
    summary: "List, press and bind the controls of installed apps",
    subcommands: Subcommands(commands)
  )

  /// Returns the controls of all apps whose installation can be read. The others are reported on standard
  /// error.
  static func catalog(_ root: StateRoot, _ console: Console) throws(CommandFailure) -> ControlCatalog {
    let listing = try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in
      try root.catalog.list()
    }
    for failure in listing.failures { console.note("darkroom: \(failure)") }
    return ControlCatalog(listing.apps)
  }

  /// Returns the control with a name.
  static func find(
    _ name: String,
    _ root: StateRoot,
    _ console: Console
  ) throws(CommandFailure) -> InstalledControl {
    let catalog = try catalog(root, console)
    do { return try catalog.find(name) } catch { throw CommandFailure(.missing, "\(error)") }
  }
}
