// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

extension LaunchStep {
  /// Returns the step with its subject, as text that follows "cannot".
  func action(on subject: String?) -> String {
    guard let subject else { return action }
    return switch self {
    case .buildRoot: "add \(subject) to the session's root"
    case .dropBoundingSet: "drop capability \(subject) from the bounding set"
    case .addRule: "add the Landlock rule for \(subject)"
    default: "\(action) \(subject)"
    }
  }

  /// The step as text that follows "cannot".
  private var action: String {
    switch self {
    case .none: "start"
    case .allocateStacks: "allocate memory for the new processes"
    case .cloneSession: "create the session's namespaces"
    case .joinControlGroup: "join the session's control group"
    case .denySetgroups: "deny setgroups(2) in the user namespace"
    case .mapUser: "map the user ID in the user namespace"
    case .mapGroup: "map the group ID in the user namespace"
    case .makeMountsPrivate: "make the session's mounts private"
    case .mountRoot: "mount the session's root"
    case .buildRoot: "build the session's root"
    case .sealRoot: "make the session's root read-only"
    case .pivotRoot: "enter the session's root"
    case .detachHostRoot: "leave the host's root"
    case .setHostname: "set the session's host name"
    case .setClocks: "set the session's clocks"
    case .openProc: "open /proc"
    case .makeHelper: "create the helper process of the session init"
    case .makeNetwork: "create the session's network namespace"
    case .dropGroups: "drop the supplementary groups"
    case .setGroup: "change to the session's group"
    case .setUser: "change to the session's user"
    case .unshareUser: "create a user namespace"
    case .dropBoundingSet: "drop a capability from the bounding set"
    case .lockSecurebits: "lock the securebits"
    case .setNoNewPrivileges: "set no_new_privs"
    case .makeGate: "create the start barrier of the extension"
    case .watchChildren: "watch for the exit of the extension"
    case .cloneExtension: "create the extension's process"
    case .placeInitDescriptors: "pass the descriptors to the session init"
    case .dropInitCapabilities: "drop the session init's capabilities"
    case .enterPrepared: "enter the prepared session"
    case .executeInit: "execute the session init"
    case .newTerminalSession: "leave the controlling terminal"
    case .newKeyring: "leave the host's keyring"
    case .resetScheduling: "reset the scheduling policy"
    case .hideMountTable: "hide the session's mount table"
    case .placeDescriptors: "pass descriptor"
    case .setLimit: "limit"
    case .changeDirectory: "enter"
    case .openExecutable: "open"
    case .createRuleset: "create the Landlock ruleset"
    case .addRule: "add a Landlock rule"
    case .restrictSelf: "enforce the Landlock ruleset"
    case .dropCapabilities: "drop the capabilities"
    case .waitForInit: "wait for the session init"
    case .clearSignalMask: "clear the signal mask"
    case .installFilter: "install the seccomp filter"
    case .sendListener: "send the seccomp listener to the host"
    case .executeExtension: "execute"
    case .waitForExtension: "start the extension in time"
    case .adoptOrphans: "make the session init adopt orphaned processes"
    case .openChildren: "open the list of the session init's child processes"
    case .dieWithInit: "bind the extension's lifetime to the session init"
    case .awaitTracer: "wait until the host traces the extension"
    case .stopProgram: "stop the program for a debugger before its first instruction"
    case .dieWithHost: "bind the session init's lifetime to the host"
    case .resetPersonality: "reset the personality"
    case .awaitPermission: "wait for the host's permission to start the program"
    }
  }

  /// Returns the subject of the step with this index, or `nil` if there is none.
  func subject(_ index: Int, _ plan: LaunchPlan) -> String? {
    switch self {
    case .buildRoot where plan.root.indices.contains(index): plan.root[index].displayPath
    case .addRule:
      plan.restrictions.landlock.map { $0.rules + $0.stateRootRules }
        .flatMap { $0.indices.contains(index) ? $0[index].path : nil }
    case .setLimit where plan.limits.resources.indices.contains(index):
      "\(plan.limits.resources[index].resource) to \(plan.limits.resources[index].hard)"
    case .dropBoundingSet, .placeDescriptors: "\(index)"
    case .changeDirectory: plan.program.workingDirectory
    case .openExecutable, .executeExtension: plan.program.path
    default: nil
    }
  }

  /// Returns the fix for an error, or `nil` if none is known.
  func fix(_ errno: Errno, _ index: Int, _ plan: LaunchPlan) -> String? {
    if isNamespaceRefusal(errno, index, plan) { return NamespaceRefusal.fix(errno) }
    return switch (self, errno) {
    case (.unshareUser, .notPermitted): NamespaceRefusal.reason
    case (.unshareUser, .noSpace): NamespaceRefusal.space
    case (.openChildren, _): "a restricted session requires /proc and a kernel with CONFIG_PROC_CHILDREN"
    case (.joinControlGroup, _):
      "the user does not own the whole subtree of control groups; set DARKROOM_CGROUP to a delegated group, or start "
        + "the host in one ('systemd-run --user --scope -p Delegate=yes')"
    case (.executeExtension, .noSuchFile) where plan.program.execution != .path:
      "the program's loader is not visible in the session, or the program is a script, which cannot be executed "
        + "once; link the program statically, or use the script's interpreter as the program"
    case (.executeExtension, .noSuchFile):
      "the program or its interpreter is not visible in the session; link the program statically, or add the needed "
        + "paths to \"readOnly\" in its policy"
    case (.executeExtension, .permissionDenied):
      "the program or its interpreter is not executable, or is in a directory from which the policy does not allow "
        + "execution"
    case (.executeExtension, Errno(rawValue: 8)):
      "the file is not a program for this machine; start a script with a line that names its interpreter (#!/bin/sh)"
    case (.createRuleset, .notImplemented), (.createRuleset, Errno(rawValue: 95)):
      "Landlock is unavailable on this kernel (requires Linux 5.13); see 'darkroom doctor'"
    case (.createRuleset, _): "see 'darkroom doctor'"
    case (.installFilter, .notSupported):
      "the call succeeded without effect, because a seccomp filter around the host fakes its result; start the host "
        + "without that filter"
    case (.restrictSelf, .notSupported):
      "the state root is still accessible: a seccomp filter around the host fakes the result of the call, or a path of "
        + "the policy is in a second mount of a directory that contains the state root; start the host without that "
        + "filter, or remove the path"
    case (.installFilter, .busy):
      "another process already supervises the system calls of this process, and the kernel allows only one "
        + "(seccomp(2), EBUSY)"
    case (.stopProgram, .notPermitted):
      "the host cannot trace its own child process: kernel.yama.ptrace_scope is 3, or the environment forbids "
        + "ptrace(2), like many containers; run without a debugger, or outside of the container"
    case (.sendListener, .noSuchProcess):
      "another process killed the session before the program started; launch again"
    case (.setLimit, .notPermitted):
      "the user's hard limit is lower; raise it, or lower the limit in the policy"
    case (.buildRoot, .noSuchFile):
      "the path does not exist on this machine; install it, or mark it optional in the policy"
    default: nil
    }
  }
}
