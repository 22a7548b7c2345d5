// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import SandboxPolicy

extension LaunchStep {
  /// The layer that the step creates, so that a failure can be reported as the absence of a layer.
  var layer: Layer {
    switch self {
    case .none, .allocateStacks, .cloneSession, .denySetgroups, .mapUser, .mapGroup, .unshareUser:
      .userNamespace
    case .makeMountsPrivate, .hideMountTable, .enterPrepared: .mountNamespace
    case .makeNetwork: .networkNamespace
    case .setClocks: .timeNamespace
    case .mountRoot, .buildRoot, .sealRoot, .pivotRoot, .detachHostRoot, .openProc, .changeDirectory: .root
    case .setHostname: .utsNamespace
    case .dropGroups, .setGroup, .setUser, .newTerminalSession, .newKeyring, .resetScheduling,
      .resetPersonality:
      .identity
    case .dropBoundingSet, .lockSecurebits, .dropInitCapabilities, .dropCapabilities: .capabilities
    case .setNoNewPrivileges: .noNewPrivileges
    case .makeHelper, .makeGate, .watchChildren, .cloneExtension, .executeInit, .waitForInit, .adoptOrphans,
      .openChildren,
      .dieWithInit, .dieWithHost:
      .pidNamespace
    case .placeInitDescriptors, .placeDescriptors, .openExecutable: .descriptors
    case .joinControlGroup: .controlGroup
    case .setLimit: .limits
    case .createRuleset, .addRule, .restrictSelf: .landlock
    case .installFilter, .sendListener, .clearSignalMask: .seccomp
    // In these steps every layer is in force or will be. The failure is one of the program, its debugger, or
    // the host.
    case .executeExtension, .waitForExtension, .awaitTracer, .stopProgram, .awaitPermission: .root
    }
  }
}

extension LaunchFailure {
  /// Whether the program caused the failure: every layer was in force.
  package var isProgramFailure: Bool { step == LaunchStep.executeExtension.name }
}
