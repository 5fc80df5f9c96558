@_exported public import Preferences
@_exported public import Publishing
