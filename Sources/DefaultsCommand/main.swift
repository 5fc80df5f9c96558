import Glibc
import PreferencesCommands

exit(DefaultsTool.run(Array(CommandLine.arguments.dropFirst())))
