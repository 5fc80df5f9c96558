import ToolSupport

// A tool that does nothing. It is linked with the libraries of `PreferencesTool`.
ToolEnd.exit(printing: 0)
