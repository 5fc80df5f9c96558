import Glibc
import PreferencesCommands

exit(DefaultsTool.run())
