// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import Glibc

// `darkroom-host`: the program of `darkroom serve`, with the options of that command.
let program = ServeCommand.hostProgram(ProgramHost.self)
exit(DarkroomCommandLine.start(Array(CommandLine.arguments.dropFirst()), as: program))
