import Glibc
import PropertyListCommands

exit(Plutil.run())
