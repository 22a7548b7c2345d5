// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar

/// `darkroom app`: opens an app, and delivers the reason to apps in any language.
package enum AppCommand: CommandGroup {
  package static let commands: CommandList = [
    "activities": AppActivitiesCommand.self, "open": AppOpenCommand.self,
  ]

  package static let spec = CommandSpec(
    "app",
    summary: "Open apps, and receive the deliveries for apps",
    subcommands: Subcommands(commands)
  )
}
