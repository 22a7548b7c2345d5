// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

extension LaunchStep {
  /// The step's name in records; an imported enumeration does not know the names of its cases.
  var name: String {
    switch self {
    case .none: "none"
    case .allocateStacks: "allocateStacks"
    case .cloneSession: "cloneSession"
    case .denySetgroups: "denySetgroups"
    case .mapUser: "mapUser"
    case .mapGroup: "mapGroup"
    case .makeMountsPrivate: "makeMountsPrivate"
    case .mountRoot: "mountRoot"
    case .buildRoot: "buildRoot"
    case .sealRoot: "sealRoot"
    case .pivotRoot: "pivotRoot"
    case .detachHostRoot: "detachHostRoot"
    case .setHostname: "setHostname"
    case .openProc: "openProc"
    case .dropGroups: "dropGroups"
    case .setGroup: "setGroup"
    case .setUser: "setUser"
    case .unshareUser: "unshareUser"
    case .dropBoundingSet: "dropBoundingSet"
    case .lockSecurebits: "lockSecurebits"
    case .setNoNewPrivileges: "setNoNewPrivileges"
    case .makeGate: "makeGate"
    case .watchChildren: "watchChildren"
    case .cloneExtension: "cloneExtension"
    case .placeInitDescriptors: "placeInitDescriptors"
    case .dropInitCapabilities: "dropInitCapabilities"
    case .executeInit: "executeInit"
    case .newTerminalSession: "newTerminalSession"
    case .newKeyring: "newKeyring"
    case .resetScheduling: "resetScheduling"
    case .placeDescriptors: "placeDescriptors"
    case .setLimit: "setLimit"
    case .changeDirectory: "changeDirectory"
    case .openExecutable: "openExecutable"
    case .createRuleset: "createRuleset"
    case .addRule: "addRule"
    case .restrictSelf: "restrictSelf"
    case .dropCapabilities: "dropCapabilities"
    case .waitForInit: "waitForInit"
    case .clearSignalMask: "clearSignalMask"
    case .installFilter: "installFilter"
    case .executeExtension: "executeExtension"
    case .waitForExtension: "waitForExtension"
    case .adoptOrphans: "adoptOrphans"
    case .openChildren: "openChildren"
    case .dieWithInit: "dieWithInit"
    }
  }
}
